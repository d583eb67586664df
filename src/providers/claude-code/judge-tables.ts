/** What a judge of one transcript keeps of marks and requests. */
export interface Mark {
  landed?: { readonly uuid: string; readonly type: string; readonly at: number };
  /** An answered request with it, and one without. */
  heldBy?: string;
  passedBy?: string;
  strangeIn?: string;
  isQueued: boolean;
  isRecalled: boolean;
  isInterrupted: boolean;
}

export interface Request {
  /** The request whose first `keep` messages it begins with. */
  readonly base: string | undefined;
  readonly keep: number;
  /** Hashes of the messages that it adds to these. */
  readonly tail: readonly string[];
  /** As the nth record. */
  readonly at: number;
}

/**
 * A turn of a thousand tool calls has a thousand requests; what was said is in the first of them.
 */
export const keptRequests = 1000;
export const keptMarks = 5000;
/** Some 100 ms of writing. */
export const batchRecords = 200;

export function bound(map: Map<string, unknown>, size: number): void {
  for (const key of map.keys()) {
    if (map.size <= size) return;
    map.delete(key);
  }
}

/** Whether a message with this hash is among those that the request is made of. */
export function holds(
  requests: ReadonlyMap<string, Request>,
  request: Request,
  hash: string,
): boolean {
  let limit = Number.POSITIVE_INFINITY;
  for (let at: Request | undefined = request, n = 0; at && n < keptRequests; n++) {
    const place = at.tail.indexOf(hash);
    if (place >= 0) return at.keep + place < limit;
    limit = Math.min(limit, at.keep);
    at = at.base === undefined ? undefined : requests.get(at.base);
  }
  return false;
}
