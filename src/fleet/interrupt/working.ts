import type { StatusView } from '../../agents/status.ts';
import type { NativeWay } from '../../delivery/recipient.ts';
import type { Life } from '../life.ts';

/** An agent whose turn a person wants to end. */
export interface Working {
  readonly life: Life;
  /** Its CLI's own way in. */
  readonly native: NativeWay | undefined;
  view(): StatusView;
  /** When it last counted as waiting for a person, on the monotonic clock. */
  askedAt(): number | undefined;
  /** Its CLI has told of a question, and nothing has said that it is over. */
  mayAsk(): boolean;
  /** The person's key was pressed for them. */
  pressed(): void;
}
