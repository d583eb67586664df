/**
 * Providers of which some lives cannot be woken (`lacksNative`), so that a command loads no other
 * provider to find that out.
 */
export const mayLackNative: ReadonlySet<string> = new Set(['codex']);
