import { join } from 'node:path';
import type { Life } from '../../../test/lab/life/life.ts';

/** One CLI's way in, by hand: the floor that delivery is compared with. */
export interface ByHand {
  /** Before the CLI is launched. */
  prepare?(): void | Promise<void>;
  /** It runs, and has a conversation. */
  open(): void | Promise<void>;
  /** A turn for an agent at rest. `hasArrived`: the model has got it. */
  wake(text: string, hasArrived: () => boolean): Promise<void>;
  /** Into an agent that works: it goes in at its next safe point. */
  join(text: string): Promise<void>;
  close(): void | Promise<void>;
}

export function runFolderOf({ box, agent }: Life): string {
  return join(box.state, 'run', 'agents', `${agent.id}-${agent.epoch}`);
}
