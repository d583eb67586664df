// Tests: src/delivery/answer-hook.test.ts, test/contracts/server-hooks.test.ts.

import type { HookOffer, HookReply } from '../providers/way-in.ts';

/**
 * Where the hooks of running agents ask whether there is something to say. What is said is claimed
 * before it is handed out, and printed only after the client has confirmed it under the claim's
 * token (rule 16): a client that was too slow, or that died, has said nothing, and the messages are
 * queued again.
 */
export interface HookDesk {
  /**
   * A synchronous hook: answered at once (rule 23). Undefined, and not one write, when there is
   * nothing to say (rule 20), or when `gone` has ended: the hook was answered without it, or has
   * left, and nobody would print what is claimed for it.
   */
  ask(agent: string, offer: HookOffer, gone?: AbortSignal): Promise<Said | undefined>;
  /**
   * A hook that waits. A newer one of the same process dismisses the older (rule 22). Ends with
   * `signal`: the client is gone.
   */
  wait(agent: string, waiter: Waiter, signal: AbortSignal): Promise<Said | 'dismissed'>;
  /**
   * A hook told that this text was submitted, and can show the person a line about it: who wrote
   * the messages in it. Undefined when there are none of ours.
   */
  caption(
    agent: string,
    text: string,
    show: (line: string) => HookReply,
  ): Promise<Said | undefined>;
  /** The client is about to print what was said. False: it was too late, and it prints nothing. */
  confirm(id: string): Promise<boolean>;
}

export interface Said {
  /** To confirm with; unguessable. */
  readonly id: string;
  readonly reply: HookReply;
}

export interface Waiter {
  /** The CLI's process, whose child the hook is. */
  readonly pid: number;
  /** The hook's own; undefined where it does not tell. */
  readonly hook?: number;
  /**
   * It came only in case there was none: it goes at once where another one of the same process
   * waits.
   */
  readonly isSpare?: true;
  readonly offer: HookOffer;
}
