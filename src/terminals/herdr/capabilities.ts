import type { Backend } from '../backend.ts';

/** herdr gives no more, and cannot be asked for what is older (0.8.0). */
export const maxLines = 1000;

/** Of 0.7.0 and newer, and of whichever version is not known yet; herdr 0.6.8 takes no typing. */
export const herdrCapabilities: Backend['capabilities'] = {
  cursor: false,
  humanTyping: false,
  exitCodes: true,
  styles: true,
  rawOutput: false,
  typing: 'text',
  // It asks whose a pane is, and types, in two requests: nothing of it is one step.
  enterInOne: false,
  size: false,
  scrollback: maxLines,
};
