import { Icon } from "./Icon.jsx";

/**
 * A button that is a picture: its name is said, and shown on pointing at it.
 * @param {{ icon: Parameters<typeof Icon>[0]["name"], label: string, hint?: string, more?: string, off?: boolean, onClick: () => void }
 *         & Record<`data-${string}` | `aria-${string}`, unknown>} props  `hint`: what is shown, where it says more than the name;
 *   `more`: further classes; `off`: it keeps the focus, but does nothing
 */
export const IconButton = ({ icon, label, hint = label, more = "", off, onClick, ...rest }) => (
  <button
    type="button"
    class={`button button-icon ${more}`.trimEnd()}
    aria-label={label}
    title={hint}
    aria-disabled={off}
    onClick={off ? undefined : onClick}
    {...rest}
  >
    <Icon name={icon} />
  </button>
);
