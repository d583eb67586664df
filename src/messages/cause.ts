/**
 * Why a message moved. Programs read the code; the words beside it are for people, and may be
 * written anew at any time.
 */
export interface Cause {
  readonly code: CauseCode;
  readonly cause: string;
}

/** By the state that each leads to. They are part of the protocol, so none is renamed. */
export const causeCodes = [
  // `claimed`
  'claimed',
  // `injected`: the act is done; the CLI keeps it in its queue; its line was read, its body not
  // yet; no proof can be had, and this is the end (rule 50).
  'put-in',
  'held',
  'named',
  'unconfirmed',
  // `seen`: by a record of the model's output; by output after its body was handed out.
  'read',
  'output-followed',
  // `acked`: by its recipient or a person; by a reply; printed to the end for whoever took it; by
  // the next call or turn of the agent that took it.
  'acked',
  'answered',
  'taken',
  'went-on',
  // `queued`, with nothing outside touched.
  'not-taken',
  'not-confirmed',
  'too-late',
  'wait-over',
  // `queued` once more.
  'not-landed',
  'withdrawn',
  'offered-once-more',
  'taken-out',
  'handed-out-again',
  'command-died',
  'named-in-ended-life',
  'retried',
  // `uncertain`: whoever carried it is gone, or lost sight of it.
  'holder-died',
  'lease-expired',
  'lost-sight',
  'life-ended',
  'not-printed',
  'call-dropped',
  // `uncertain`: it is with the agent, and nothing proves that it was read.
  'no-proof',
  'not-provable',
  'no-answer',
  'unanswered',
  'conversation-left',
  'queue-stands',
  // The ends that nobody reads. `not-landed` is the end of a message, too.
  'expired',
  'superseded',
  'copies-uncertain',
  'recipient-removed',
  'taken-back',
  'cancelled',
] as const;

export type CauseCode = (typeof causeCodes)[number];
