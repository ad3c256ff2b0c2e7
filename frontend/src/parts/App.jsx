import { comparing, frame, lecture, panel } from "../store.js";
import { t } from "../i18n/translate.js";
import { Announcer } from "./Announcer.jsx";
import { CompareHost } from "./CompareHost.jsx";
import { Console } from "./Console.jsx";
import { Editor } from "./Editor.jsx";
import { EmbedBar } from "./EmbedBar.jsx";
import { ErrorCard } from "./ErrorCard.jsx";
import { ExampleNote } from "./ExampleNote.jsx";
import { FileNotice } from "./FileNotice.jsx";
import { GraphHost } from "./GraphHost.jsx";
import { Header } from "./Header.jsx";
import { Inspector } from "./Inspector.jsx";
import { KeySheet } from "./KeySheet.jsx";
import { LeaveLecture } from "./LeaveLecture.jsx";
import { Ledger } from "./Ledger.jsx";
import { Notice } from "./Notice.jsx";
import { PlayerBar } from "./PlayerBar.jsx";
import { Predict } from "./Predict.jsx";
import { Programs } from "./Programs.jsx";
import { Queue } from "./Queue.jsx";
import { Share } from "./Share.jsx";
import { sides, Tabs } from "./Tabs.jsx";
import { StepCard } from "./StepCard.jsx";
import { Truncations } from "./Truncations.jsx";

/** The page. A narrow screen shows the panel of the store, a wide one all of them; a link may leave parts out. */
export function App() {
  const { embed, hide } = frame.value;
  const { left, right } = sides(hide);
  return (
    <div class="page" data-tab={panel.value} data-embed={embed} data-lecture={lecture.value} data-comparing={comparing.value} data-left={left} data-right={right} data-tools={!hide.has("tools")}>
      {embed ? <EmbedBar /> : <Header />}
      <div class="notices">
        <Notice />
        <FileNotice />
      </div>
      <Tabs />
      <main class="panels">
        {left && (
          <section class="left" aria-label={t("editor.region")}>
            {!hide.has("editor") && !embed && <Programs />}
            {!hide.has("editor") && !embed && <ExampleNote />}
            {!hide.has("editor") && <Editor />}
            {!hide.has("console") && <Console />}
            {!hide.has("ledger") && <Ledger />}
          </section>
        )}
        <section class="middle" aria-label={t("graph.region")}>
          <GraphHost />
        </section>
        {right && (
          <section class="right" aria-label={t("details.region")}>
            <div class="right-step">
              <ErrorCard />
              {!hide.has("card") && <StepCard />}
              {!hide.has("card") && <Predict />}
              {!hide.has("queue") && <Queue />}
              <Truncations />
            </div>
            {!hide.has("inspector") && <Inspector />}
          </section>
        )}
      </main>
      {!hide.has("player") && <PlayerBar />}
      <Announcer />
      {comparing.value && <CompareHost />}
      {lecture.value && <LeaveLecture />}
      <Share />
      <KeySheet />
    </div>
  );
}
