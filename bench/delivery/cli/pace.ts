import type { CliName } from '../../../test/lab/versions.ts';

/** How quickly one CLI can be asked again, and what decides when it takes a message. */
export interface Pace {
  /**
   * The running answer, one word every 50 ms; and when, after the request, the second message is
   * sent.
   */
  readonly streamWords: number;
  readonly joinAfterMs: number;
  /**
   * Since the last word about its status. A screen that has stood for 300 ms needs no second look
   * before a paste (rule 24).
   */
  readonly quietMs: number;
  /** A paste needs an empty composer. */
  readonly needsComposer: boolean;
  /**
   * It looks for input this often: both sides begin at the same moments between two looks, evenly
   * spread.
   */
  readonly pollMs?: number;
  /** Ours are not closer than this. */
  readonly wakeEveryMs?: number;
}

const usual: Pace = { streamWords: 10, joinAfterMs: 150, quietMs: 400, needsComposer: false };
const pasted: Pace = { ...usual, needsComposer: true };

export const paces: Readonly<Record<CliName, Pace>> = {
  // More than 20 wakes in a minute are taken for a loop by the hook client, and the next one waits.
  'claude-code': { ...usual, wakeEveryMs: 3100 },
  codex: usual,
  // It goes on drawing for a while after a turn (0.61.0).
  gemini: { ...pasted, quietMs: 1200 },
  opencode: usual,
  copilot: usual,
  // Its input file is read twice a second (0.24.4): the running answer must be longer than that.
  qwen: { ...usual, streamWords: 18, pollMs: 500 },
  kimi: pasted,
};
