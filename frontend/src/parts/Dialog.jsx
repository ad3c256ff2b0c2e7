import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n/translate.js";
import { Icon } from "./Icon.jsx";

/**
 * A dialog over the page, with a title and a way to close it. What it holds is made when it opens.
 * @param {{ testId: string, titleId: string, title: string, open: import("@preact/signals").Signal<boolean>,
 *           children: import("preact").ComponentChildren }} props
 */
export function Dialog({ testId, titleId, title, open, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const close = () => void (open.value = false);
  // Before the next key is pressed: a quick Escape must find the dialog open.
  useLayoutEffect(() => {
    if (open.value && !dialog.current?.open) dialog.current?.showModal();
    if (!open.value) dialog.current?.close();
  }, [open.value]);
  return (
    <dialog
      ref={dialog}
      class="share"
      data-testid={testId}
      aria-labelledby={titleId}
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      {open.value && (
        <div class="share-body">
          <div class="share-head">
            <h2 id={titleId}>{title}</h2>
            <button type="button" class="button button-icon button-quiet" aria-label={t("share.close")} onClick={close}>
              <Icon name="close" />
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
