/**
 * Spans that are ours alone: how long proof is awaited, how long a person's terminal must be quiet.
 * In a test build they are a fifth as long when SIGNALBOX_SHORT_SPANS is set, so that a case of the
 * lab which waits for them takes seconds. The published build does not know that variable:
 * scripts/build.mjs puts it in only where it is asked for a test build.
 */
export function ownSpan(ms: number): number {
  return typeof shortSpans === 'string' ? ms / 5 : ms;
}

/** Put in by the build; not there at all where the source runs as it is. */
declare const shortSpans: string | undefined;
