import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.ts';
import type { Variables } from '../life/box.ts';
import type { Life } from '../life/life.ts';
import type { CliName } from '../versions.ts';

/** Fail-points of a delivery (src/shared/fail-point.ts). */
const places = [
  'deliver.begun',
  'paste.looked',
  'paste.pasted',
  'paste.entered',
  'deliver.acted',
] as const;
type Place = (typeof places)[number];

/**
 * Where a delivery is held while the person does something: after the last look and before anything
 * is written, between the text and Enter, after all of it and before anything is known of it.
 */
export type Stage = 'before' | 'between' | 'after';

const pastes: Readonly<Partial<Record<Stage, Place>>> = {
  before: 'paste.looked',
  between: 'paste.pasted',
  after: 'paste.entered',
};
const pastesInOne = { before: 'paste.looked', after: 'paste.entered' } as const;
const natively = { before: 'deliver.begun', after: 'deliver.acted' } as const;

/** Claude Code gets what the user writes by a paste, and no notice. */
const stagesOf: Readonly<Record<CliName, Readonly<Partial<Record<Stage, Place>>>>> = {
  'claude-code': pastesInOne,
  codex: natively,
  gemini: pastes,
  opencode: natively,
  copilot: natively,
  qwen: natively,
  kimi: pastesInOne,
};

export function stagesIn(cli: CliName): readonly Stage[] {
  return Object.keys(stagesOf[cli]) as Stage[];
}

const everyMs = 10;

/**
 * Holds a daemon's deliveries at the one place that is wanted, and lets them go on at all others.
 */
export class HeldPlaces {
  static readonly #served = new WeakMap<Life, HeldPlaces>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-lab-held-'));
  readonly #timer: NodeJS.Timeout;
  #wanted: Place | undefined;

  constructor() {
    this.#timer = setInterval(() => this.#letGo(), everyMs);
  }

  static of(life: Life): HeldPlaces {
    const held = HeldPlaces.#served.get(life);
    if (!held) throw new Error('Its daemon was started without fail-points.');
    return held;
  }

  /** Its daemon was started with these variables. */
  serve(life: Life): void {
    HeldPlaces.#served.set(life, this);
  }

  /** Of the daemon. */
  get variables(): Variables {
    return {
      SIGNALBOX_FAILPOINTS: places.map((place) => `${place}=hold`).join(','),
      SIGNALBOX_FAILPOINT_DIR: this.#folder,
    };
  }

  /** The next delivery that comes to this stage is held there. */
  hold(cli: CliName, stage: Stage): void {
    this.#wanted = stagesOf[cli][stage];
    if (this.#wanted === undefined) throw new Error(`No delivery to ${cli} has a stage ${stage}.`);
  }

  async isReached(withinMs: number): Promise<void> {
    const place = this.#wanted ?? 'none';
    const isHeld = (): boolean => this.#marks().some((mark) => mark.startsWith(place));
    await waitUntil(`a delivery at ${place}`, isHeld, withinMs);
  }

  release(): void {
    this.#wanted = undefined;
    this.#letGo();
  }

  close(): void {
    clearInterval(this.#timer);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #letGo(): void {
    for (const mark of this.#marks()) {
      if (this.#wanted !== undefined && mark.startsWith(this.#wanted)) continue;
      rmSync(join(this.#folder, mark), { force: true });
    }
  }

  #marks(): readonly string[] {
    return readdirSync(this.#folder);
  }
}
