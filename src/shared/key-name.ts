/** One key with what is held beside it, as people write it and as tmux does. */
export interface KeyName {
  /** `Ctrl-]`, `Alt-q`, `F9`. */
  readonly label: string;
  /** `C-]`, `M-q`, `F9`. */
  readonly tmux: string;
}

/**
 * The keys of Ctrl that programs in terminals cannot do without: interrupt, end of input, suspend,
 * and those that a terminal cannot tell from Backspace, Tab, Enter, a new line and Escape. Ctrl-b
 * is the prefix of tmux itself.
 */
const needed = new Set([...'bcdhijmz[']);

/**
 * Reads `Ctrl-q`, `ctrl+]`, `C-q`, `^q`, `Alt-q`, `M-q` and `F9`. Undefined for what is no such key
 * and for keys that a program in the terminal needs: a bare letter is text.
 */
export function parseKeyName(text: string): KeyName | undefined {
  const [, number] = /^f([1-9]|1[0-2])$/i.exec(text) ?? [];
  if (number !== undefined) return { label: `F${number}`, tmux: `F${number}` };
  const [, ctrl] = /^(?:ctrl[-+]|c-|\^)([a-z\][\\^_])$/i.exec(text) ?? [];
  if (ctrl !== undefined) {
    const key = ctrl.toLowerCase();
    return needed.has(key) ? undefined : { label: `Ctrl-${key}`, tmux: `C-${key}` };
  }
  const [, alt] = /^(?:alt[-+]|m-)([a-z0-9])$/i.exec(text) ?? [];
  if (alt !== undefined) return { label: `Alt-${alt}`, tmux: `M-${alt}` };
  return undefined;
}
