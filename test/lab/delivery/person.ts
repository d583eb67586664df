import { waitUntil } from '../../support/wait-until.ts';
import { must } from '../life/check.ts';
import { keyPauseMs } from '../life/hands.ts';
import { isAtRest, type Life, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { pause, settles } from './cases-usual.ts';
import { createWord } from './post.ts';
import { traits } from './traits.ts';

const slowestKeyMs = 2500;
/** By then another conversation was picked. */
const missedMs = 20_000;

/**
 * Two minutes. At 50 words a second OpenCode 1.18.33 on a loaded machine draws words it got a
 * minute before, and then reads the keys.
 */
export const longAnswer = { do: 'stream', words: 1200, everyMs: 100 } as const;

/** Whoever sits at the agent's terminal, with what people do there while messages come in. */
export class Person {
  readonly #life: Life;

  constructor(life: Life) {
    this.#life = life;
  }

  /**
   * Says something first; its word stands in every later request of that conversation, and in its
   * name where one is picked.
   */
  async opens(): Promise<string> {
    const word = createWord();
    await this.#life.ask(`@@say hello ${word}`);
    // So short a turn may never be heard of as work: statuses are coalesced (E1).
    await settles(this.#life);
    return word;
  }

  /**
   * Presses what breaks off a turn until the request has ended by it; gives the time of the last
   * key. On a loaded machine five pairs of Escapes 300 ms apart did not break off OpenCode 1.18.33:
   * every try is slower.
   */
  async interrupts(request: LoggedRequest): Promise<number> {
    const from = this.#life.events.length;
    let at = Date.now();
    for (let tries = 0; tries < 8 && request.outcome === undefined; tries++) {
      const pauseMs = Math.min(keyPauseMs * 2 ** tries, slowestKeyMs);
      await this.#breaksOff(request, pauseMs);
      at = Date.now();
      await waitUntil('its end', () => request.outcome, 4000).catch(() => undefined);
    }
    must(request.outcome === 'client-closed', `the keys did not break it off: ${request.outcome}`);
    await this.#life.hears('rest', isAtRest, Math.max(0, from - 1));
    return at;
  }

  /**
   * Where the first key only warns, the next one follows when the person reads that: on a loaded
   * machine pairs at any fixed pace did not break off Copilot CLI 1.0.102, whose warning comes late
   * and goes soon. At rest, two Escapes open its picker of earlier prompts.
   */
  async #breaksOff(request: LoggedRequest, pauseMs: number): Promise<void> {
    const { hands, lab } = this.#life;
    const { interruptKeys, interruptHint } = lab;
    if (!interruptHint) return await hands.press(interruptKeys, pauseMs);
    for (const [n, key] of interruptKeys.entries()) {
      if (n > 0) await hands.shows(interruptHint, slowestKeyMs).catch(() => undefined);
      if (request.outcome !== undefined) return;
      await hands.press([key]);
    }
  }

  /**
   * A CLI may put what was broken off back into the composer, several lines of it: there it is the
   * person's.
   */
  async hasDraft(): Promise<boolean> {
    await pause(2000);
    return (await this.#life.show()).composer === 'draft';
  }

  /** Whatever stands in the composer is thrown away. */
  async empties(): Promise<void> {
    const { emptyAllKeys } = traits[this.#life.lab.name];
    for (let tries = 0; tries < 5 && (await this.hasDraft()); tries++) {
      await this.#life.hands.press(emptyAllKeys);
    }
    await this.#life.empty();
  }

  /** Begins a new conversation by the CLI's own command; gives the time at which it was sent. */
  async beginsAnew(command = traits[this.#life.lab.name].fresh): Promise<number> {
    if (await this.hasDraft()) await this.empties();
    await this.#life.hands.submit(command);
    const at = Date.now();
    // Until it has drawn the new one; Kimi and Codex leave the old one in sight, above it.
    await pause(1000);
    return at;
  }

  /**
   * Goes back to the conversation that began with that word, by the CLI's own picker; its beginning
   * may be off the screen then.
   */
  async resumes(word: string, later = word): Promise<void> {
    if (await this.hasDraft()) await this.empties();
    const isHidden = this.#life.lab.name === 'opencode';
    // What is chosen is not to be seen there: another one is, and the person tries again.
    for (let tries = 1; isHidden && tries < 4; tries++) {
      if (await this.#picks(word, later, missedMs)) return await this.#life.empty();
    }
    must(await this.#picks(word, later, patienceMs), 'the picker did not lead there');
    await this.#life.empty();
  }

  async #picks(word: string, later: string, deadlineMs: number): Promise<boolean> {
    const { resume, picker } = traits[this.#life.lab.name];
    await this.#life.hands.submit(resume);
    await this.#life.hands.shows(picker, patienceMs);
    await pause(1000);
    for (let tries = 0; tries < 6 && !(await this.#isPicked(word)); tries++) {
      await this.#life.hands.press(['Down']);
      await pause(500);
    }
    await this.#life.hands.press(['Enter']);
    if (this.#life.lab.name === 'opencode') {
      // Long messages of ours may have moved its beginning off the screen.
      await pause(1000);
      await this.#life.hands.press(['PPage', 'PPage']);
    }
    const shown = this.#life.hands.shows(new RegExp(`hello ${word}|@@play ${later}`), deadlineMs);
    return await shown.then(
      () => true,
      () => false,
    );
  }

  /**
   * OpenCode 1.18.33 names all conversations as the mock does, and shows its choice by colour
   * alone: the one above is ours.
   */
  async #isPicked(word: string): Promise<boolean> {
    if (this.#life.lab.name !== 'opencode') {
      const { text } = await this.#life.hands.look();
      return new RegExp(`^[\\s│]*[❯›][^\\n]*${word}`, 'm').test(text);
    }
    // To the left of the dialog the conversation is still to be seen.
    const isMarked = await this.#life.hands.shows(/● Lab/, 5000).then(
      () => true,
      () => false,
    );
    if (!isMarked) return true;
    await this.#life.hands.press(['Down']);
    // Down and Enter at once picked what was shown before.
    await pause(1000);
    return true;
  }
}
