import { panel } from "../store.js";
import { t } from "../i18n/translate.js";
import { Announcer } from "./Announcer.jsx";
import { Console } from "./Console.jsx";
import { Editor } from "./Editor.jsx";
import { ErrorCard } from "./ErrorCard.jsx";
import { GraphHost } from "./GraphHost.jsx";
import { Header } from "./Header.jsx";
import { Inspector } from "./Inspector.jsx";
import { Ledger } from "./Ledger.jsx";
import { Notice } from "./Notice.jsx";
import { PlayerBar } from "./PlayerBar.jsx";
import { Predict } from "./Predict.jsx";
import { Queue } from "./Queue.jsx";
import { StepCard } from "./StepCard.jsx";
import { Tabs } from "./Tabs.jsx";
import { Truncations } from "./Truncations.jsx";

/** The page. A narrow screen shows the panel of the store, a wide one all of them. */
export function App() {
  return (
    <div class="page" data-tab={panel.value}>
      <Header />
      <Notice />
      <Tabs />
      <main class="panels">
        <section class="left" aria-label={t("editor.region")}>
          <Editor />
          <Console />
          <Ledger />
        </section>
        <section class="middle" aria-label={t("graph.region")}>
          <GraphHost />
        </section>
        <section class="right" aria-label={t("details.region")}>
          <div class="right-step">
            <ErrorCard />
            <StepCard />
            <Predict />
            <Queue />
            <Truncations />
          </div>
          <Inspector />
        </section>
      </main>
      <PlayerBar />
      <Announcer />
    </div>
  );
}
