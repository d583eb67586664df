import { escapeHidden, reveal } from './reveal.ts';

/**
 * A text of somebody else's inside a sentence of ours: in quotes, bounded, and with nothing in it
 * that acts on a terminal.
 */
export function quote(text: string, most = 80): string {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return escapeHidden(JSON.stringify(shown));
}

/** A whole sentence that may quote anything. */
export function bound(text: string, most: number): string {
  const shown = text.length > most ? `${text.slice(0, most)}… (cut)` : text;
  return reveal(shown);
}
