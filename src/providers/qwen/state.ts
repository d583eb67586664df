import { join } from 'node:path';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import { EventFile, type WatchFile } from './event-file.ts';
import { advance, type EventState } from './events.ts';
import { eventFile } from './launch.ts';

/**
 * Qwen Code's own word about its status, from its event file. A word holds for a moment and is
 * withdrawn, because the file is silent about a person's Escape, and because it is written some 500
 * ms after the hook that tells the turn's end: what lasts is for hooks and screen to say.
 */
export function watchState(
  context: AgentContext,
  report: (state: OwnState) => void,
  watchFile?: WatchFile,
): StateWatch {
  let state: EventState = {};
  let words: number | undefined;
  let held: OwnState['report'];
  let said = '{}';
  let timer: NodeJS.Timeout | undefined;
  const say = (): void => {
    const { conversation } = state;
    const own = { report: held, ...(conversation === undefined ? {} : { conversation }) };
    const text = JSON.stringify(own);
    if (text !== said) report(own);
    said = text;
  };
  const hold = (word: OwnState['report']): void => {
    held = word;
    clearTimeout(timer);
    timer = setTimeout(() => {
      held = undefined;
      say();
    }, holdMs);
    timer.unref();
  };
  const file = new EventFile(join(context.runFolder, eventFile), {
    onLine: (line) => {
      state = advance(state, line);
    },
    onRead: (isNews) => {
      // What stood in the file when we came (after a restart of ours) is no news, nor is more of
      // the same.
      if (isNews && state.words !== words) hold(state.word);
      words = state.words;
      say();
    },
    ...(watchFile ? { watchFile } : {}),
  });
  file.open();
  return {
    check: () => file.check(),
    close: () => {
      clearTimeout(timer);
      file.close();
    },
  };
}

/** The screen is looked at 600 ms after a word, so that it is known when the word is withdrawn. */
const holdMs = 700;
