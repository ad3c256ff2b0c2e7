/**
 * A titled part of the page.
 * @param {{ title: import("preact").ComponentChildren, class?: string, aside?: import("preact").ComponentChildren,
 *           children: import("preact").ComponentChildren, testId?: string, label?: string }} props
 * `aside` stands at the right of the title.
 */
export function Panel({ title, aside, children, testId, label, class: name = "" }) {
  return (
    <section class={`panel ${name}`} data-testid={testId} aria-label={label}>
      <div class="panel-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
