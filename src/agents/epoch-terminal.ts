import { asObject, parseJson } from '../shared/json.ts';

/** The backend's identity of a life's terminal, as `Epoch.terminal` keeps it. */
export interface KeptTerminal {
  readonly agent: string;
  readonly epoch: number;
  readonly server: string;
  readonly pane: string;
  readonly pid: number;
  readonly startedAt: string;
  /** The pid namespace in which `pid` counts; undefined in rows of before 2026-11-18. */
  readonly pidSpace?: string;
  /** Its program was seen in a terminal; undefined where that is not known. */
  readonly hadTty?: true;
  /**
   * What its user has decided, noted before its processes are ended: `stop` and `rm`, or a restart;
   * or that its work was done. A life that is found dead ended by that.
   */
  readonly ending?: NotedEnding;
}

type NotedEnding = 'stopped' | 'restarted' | 'task-done' | 'rested';

const notedEndings: readonly NotedEnding[] = ['stopped', 'restarted', 'task-done', 'rested'];

/** Undefined when the text is not such an identity. */
export function readTerminal(text: string): KeptTerminal | undefined {
  const kept = asObject(parseJson(text));
  const { agent, epoch, server, pane, pid, startedAt } = kept;
  const isSound =
    typeof agent === 'string' &&
    typeof epoch === 'number' &&
    typeof server === 'string' &&
    typeof pane === 'string' &&
    typeof pid === 'number' &&
    typeof startedAt === 'string';
  if (!isSound) return undefined;
  const { hadTty, pidSpace, ending } = kept;
  return {
    ...{ agent, epoch, server, pane, pid, startedAt },
    ...(typeof pidSpace === 'string' ? { pidSpace } : {}),
    ...(hadTty === true ? { hadTty } : {}),
    ...(isNoted(ending) ? { ending } : {}),
  };
}

function isNoted(ending: unknown): ending is NotedEnding {
  return notedEndings.some((noted) => noted === ending);
}
