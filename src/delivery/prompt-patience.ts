// Tests: src/delivery/prompt-patience.test.ts.

/**
 * How much rest of the agent a prompt waits for a way that keeps its standing; then it goes as a
 * notice that names the user (rule 51b).
 */
export const promptRestMs = 60_000;

/**
 * Counts the rest in which prompts have waited, for one life, on the monotonic clock. It begins
 * anew when none waits, and after a restart of ours.
 */
export class PromptPatience {
  #spentMs = 0;
  #lastAt: number | undefined;

  /** Told at every look; how much is left, undefined while no prompt waits. */
  note(hasPrompt: boolean, atRestSince: number | undefined, now: number): number | undefined {
    if (!hasPrompt) {
      this.#spentMs = 0;
      this.#lastAt = undefined;
      return undefined;
    }
    if (atRestSince !== undefined) {
      this.#spentMs += Math.max(0, now - Math.max(this.#lastAt ?? now, atRestSince));
    }
    this.#lastAt = now;
    return this.leftMs;
  }

  get leftMs(): number {
    return Math.max(0, promptRestMs - this.#spentMs);
  }
}
