/**
 * A control acts on what a person has seen. While its item has stood on the screen for less than a
 * second, or has just moved or changed, the hand may still mean what stood there before: the
 * control does nothing.
 */
export const settleMs = 1000;

export class Armed {
  #face: string | undefined;
  #since = Number.NEGATIVE_INFINITY;

  /**
   * What is shown at this moment: everything that a person decides by, and where it stands. Another
   * one begins the second anew.
   */
  show(face: string, now: number): void {
    if (face === this.#face) return;
    this.#face = face;
    this.#since = now;
  }

  isArmed(now: number): boolean {
    return this.#face !== undefined && now - this.#since >= settleMs;
  }

  /** Until it is; 0 when it is. */
  restMs(now: number): number {
    return Math.max(0, this.#since + settleMs - now);
  }
}
