import { join } from 'node:path';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import { EventFile, type WatchFile } from './event-file.ts';
import { advance, type EventState } from './events.ts';
import { eventFile } from './launch.ts';

/**
 * Qwen Code's own word about its status, from its event file. A word holds for a second after the newest event; then it is
 * withdrawn, because the file is silent about a person's Escape: by that time hooks and screen have followed.
 */
export function watchState(
  context: AgentContext,
  report: (state: OwnState) => void,
  watchFile?: WatchFile,
): StateWatch {
  let state: EventState = {};
  let said = '{}';
  let timer: NodeJS.Timeout | undefined;
  const say = (next: OwnState): void => {
    const text = JSON.stringify(next);
    if (text !== said) report(next);
    said = text;
  };
  const stateOf = (word: OwnState['report']): OwnState => {
    const { conversation } = state;
    return { report: word, ...(conversation === undefined ? {} : { conversation }) };
  };
  const file = new EventFile(join(context.runFolder, eventFile), {
    onLine: (line) => {
      state = advance(state, line);
    },
    // What stood in the file when we came (after a restart of ours) is no news.
    onRead: (isNews) => {
      clearTimeout(timer);
      say(stateOf(isNews ? state.word : undefined));
      if (!isNews || state.word === undefined) return;
      timer = setTimeout(() => say(stateOf(undefined)), holdMs);
      timer.unref();
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
const holdMs = 1000;
