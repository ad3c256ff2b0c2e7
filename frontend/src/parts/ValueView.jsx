import { t } from "../i18n/translate.js";
import { countOf, elementsOf, plain, shapeTuple } from "../model/numbers.js";
import { printed } from "../model/print.js";
import { heatRows, histogramOf } from "../model/spread.js";
import { Printed } from "./Printed.jsx";

/** @typedef {import("../wire").Value} Value */

/** A value to look at: a number, a heat table, or PyTorch's text with statistics. @param {{ value: Value }} props */
export function ValueView({ value }) {
  if (value.shape.length === 0) return <span class="number">{value.text || printed(value)}</span>;
  const small = value.kind === "full" && value.shape.length <= 2 && countOf(value.shape) > 0 && value.shape.every((size) => size <= 6);
  const text = value.text || (value.kind === "full" ? printed(value) : "");
  const histogram = histogramOf(value);
  const rows = small ? null : heatRows(value);
  return (
    <div class="value">
      {rows && <HeatMap rows={rows} shape={value.shape} />}
      {small ? <HeatTable value={value} /> : text && <Printed text={text} />}
      {value.stats && <Statistics stats={value.stats} />}
      {histogram && <Histogram histogram={histogram} />}
    </div>
  );
}

/**
 * Every element as a square: blue above zero, orange below, deeper the larger, with a stroke through what is no number.
 * The numbers stand below it.
 * @param {{ rows: Array<Array<number | "odd">>, shape: number[] }} props
 */
function HeatMap({ rows, shape }) {
  const [width, height] = [rows[0].length, rows.length];
  return (
    <svg
      class="heatmap"
      data-testid="heatmap"
      viewBox={`0 0 ${width} ${height}`}
      style={{ "max-width": `${width * 14}px` }}
      role="img"
      aria-label={t("inspect.heatmap", { shape: shapeTuple(shape) })}
    >
      {rows.flatMap((row, y) =>
        row.map((each, x) =>
          each === "odd" ? (
            <path key={`${x},${y}`} class="odd" d={`M${x + 0.15} ${y + 0.15}l.7.7m0-.7l-.7.7`} />
          ) : (
            <rect
              key={`${x},${y}`}
              class={each < 0 ? "cold" : "warm"}
              x={x + 0.03}
              y={y + 0.03}
              width="0.94"
              height="0.94"
              style={{ "--heat": `${Math.round(Math.abs(each) * 100)}%` }}
            />
          ),
        ),
      )}
    </svg>
  );
}

/** @param {{ value: Value }} props */
function HeatTable({ value }) {
  const rows = /** @type {unknown[][]} */ (value.shape.length === 1 ? [value.data] : value.data);
  const numbers = elementsOf(value).filter((item) => typeof item === "number");
  const most = Math.max(...numbers.map(Math.abs), 0);
  return (
    <div class="heat-scroll" data-scrolls tabIndex={0} role="group" aria-label={t("inspect.elements", { shape: shapeTuple(value.shape) })}>
      <table class="heat">
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((item, column) => (
                <HeatCell key={column} item={item} most={most} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Depth of colour for size, side of the palette for sign; the number says both too. @param {{ item: unknown, most: number }} props */
function HeatCell({ item, most }) {
  const part = typeof item === "number" && most > 0 ? item / most : 0;
  return (
    <td class={part < 0 ? "cold" : "warm"} style={{ "--heat": `${Math.round(Math.abs(part) * 40)}%` }}>
      {plain(item)}
    </td>
  );
}

/** @param {{ stats: import("../wire").Stats }} props */
function Statistics({ stats }) {
  /** @param {import("../wire").Stats["min"]} item */
  const text = (item) => (item === null ? "–" : plain(item));
  const odd = stats.nan > 0 || stats.inf > 0 || stats.zeros > 0;
  return (
    <p class="soft statistics">
      {t("inspect.stats", { min: text(stats.min), max: text(stats.max), mean: text(stats.mean), std: text(stats.std) })}
      {odd && <span class={stats.nan + stats.inf > 0 ? "alarm" : ""}> · {t("inspect.odd", { nan: stats.nan, inf: stats.inf, zeros: stats.zeros })}</span>}
    </p>
  );
}

/** @param {{ histogram: import("../wire").Histogram }} props */
function Histogram({ histogram }) {
  const { counts, edges } = histogram;
  const most = Math.max(...counts, 1);
  const label = t("inspect.histogram", { from: plain(edges[0]), to: plain(edges[edges.length - 1]) });
  return (
    <figure class="histogram">
      <svg viewBox={`0 0 ${counts.length * 4} 32`} preserveAspectRatio="none" role="img" aria-label={label}>
        {counts.map((count, at) => (
          <rect key={at} x={at * 4} width="3" y={32 - (32 * count) / most} height={(32 * count) / most} />
        ))}
      </svg>
      <figcaption>
        <span>{plain(edges[0])}</span>
        <span>{plain(edges[edges.length - 1])}</span>
      </figcaption>
    </figure>
  );
}
