import type { Backend } from '../backend.ts';
import { historyLimit } from './server-config.ts';

export const tmuxCapabilities: Backend['capabilities'] = {
  cursor: true,
  humanTyping: true,
  exitCodes: true,
  styles: true,
  rawOutput: true,
  typing: 'bytes',
  enterInOne: true,
  size: true,
  scrollback: historyLimit,
};
