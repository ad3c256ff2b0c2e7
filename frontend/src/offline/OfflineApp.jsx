import { lecture, panel } from "../store.js";
import { t } from "../i18n/translate.js";
import { Announcer } from "../parts/Announcer.jsx";
import { Appearance } from "../parts/Appearance.jsx";
import { Console } from "../parts/Console.jsx";
import { ErrorCard } from "../parts/ErrorCard.jsx";
import { FileNotice } from "../parts/FileNotice.jsx";
import { GraphHost } from "../parts/GraphHost.jsx";
import { Inspector } from "../parts/Inspector.jsx";
import { KeySheet } from "../parts/KeySheet.jsx";
import { LeaveLecture } from "../parts/LeaveLecture.jsx";
import { Ledger } from "../parts/Ledger.jsx";
import { PlayerBar } from "../parts/PlayerBar.jsx";
import { Queue } from "../parts/Queue.jsx";
import { StepCard } from "../parts/StepCard.jsx";
import { Tabs } from "../parts/Tabs.jsx";
import { Truncations } from "../parts/Truncations.jsx";
import { Listing } from "./Listing.jsx";

/** The page without what needs a server: the program can be read, not run. */
export function OfflineApp() {
  return (
    <div class="page" data-tab={panel.value} data-left="true" data-right="true" data-lecture={lecture.value}>
      <OfflineHeader />
      <div class="notices">
        <FileNotice />
      </div>
      <Tabs />
      <main class="panels">
        <section class="left" aria-label={t("editor.region")}>
          <Listing />
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
            <Queue />
            <Truncations />
          </div>
          <Inspector />
        </section>
      </main>
      <PlayerBar />
      <Announcer />
      {lecture.value && <LeaveLecture />}
      <KeySheet />
    </div>
  );
}

function OfflineHeader() {
  return (
    <header class="header">
      <h1 class="brand">{t("app.title")}</h1>
      <span class="run-note">{t("offline.note")}</span>
      <Appearance />
    </header>
  );
}
