/** The training loop of the run on the page, worked out once for its button and its view; null where there is none. */
import { computed } from "@preact/signals";
import { index } from "../store.js";
import { trainingOf } from "./iterations.js";

export const trainingNow = computed(() => (index.value ? trainingOf(index.value) : null));
