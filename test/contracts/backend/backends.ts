import { describe, test } from 'vitest';
import type { Backend } from '../../../src/terminals/backend.ts';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import { openHerdrWorld } from '../../support/herdr.ts';
import { realHerdr } from '../../support/install-herdr.ts';
import { sweepList } from '../../support/sweep.ts';
import { hasTmux, openTmuxWorld, type TmuxWorld } from '../../support/tmux.ts';

/** What a test of the contract may use of a backend's world; each backend has its own behind it. */
export type BackendWorld = Pick<
  TmuxWorld,
  | 'backend'
  | 'heard'
  | 'folder'
  | 'open'
  | 'wanted'
  | 'launch'
  | 'launchUntil'
  | 'untilScreen'
  | 'sight'
> & {
  /** What a person at that terminal types. */
  type(terminal: Terminal, text: string): Promise<void>;
  /** A person closes it, with whatever runs in it. */
  closeByHand(terminal: Terminal): Promise<void>;
  /** Variables that the terminal itself sets. */
  readonly ownNames: readonly string[];
  /** Words of the command that leads there. */
  readonly attachWords: readonly string[];
};

export type Abilities = Backend['capabilities'];

interface BackendUnderTest {
  readonly name: string;
  readonly isThere: boolean;
  readonly can: Abilities;
  open(): Promise<BackendWorld>;
}

const tmux: Abilities = {
  cursor: true,
  humanTyping: true,
  exitCodes: true,
  styles: true,
  rawOutput: true,
  typing: 'bytes',
  enterInOne: true,
  size: true,
  scrollback: 20_000,
};
const herdr: Abilities = {
  cursor: false,
  humanTyping: false,
  exitCodes: true,
  styles: true,
  rawOutput: false,
  typing: 'text',
  enterInOne: false,
  size: false,
  scrollback: 1000,
};

/**
 * Every backend keeps the same promises, as far as it says that it can. A new one is one more line
 * here.
 */
const backends: readonly BackendUnderTest[] = [
  { name: 'tmux', isThere: hasTmux, can: tmux, open: () => openTmuxWorld() },
  // The fake's terminals are tmux's; a real one is tested in the version it has.
  {
    name: realHerdr ? 'herdr, real' : 'herdr 0.8.0',
    isThere: hasTmux || realHerdr !== undefined,
    can: herdr,
    open: () => openHerdrWorld('0.8.0'),
  },
  {
    name: 'herdr 0.6.8',
    isThere: hasTmux && realHerdr === undefined,
    can: { ...herdr, typing: 'no' },
    open: () => openHerdrWorld('0.6.8'),
  },
];

/**
 * Runs each test once per backend that this machine has, in a world of its own; the others are left
 * out by name. A test that needs an ability is only there for backends that claim it. The
 * older version of herdr is tried in full.
 */
export function backendContract(
  title: string,
  define: (check: Check, can: Abilities) => void,
): void {
  const tried = sweepList(backends, 2);
  describe.each(tried.map((backend) => [backend.name, backend] as const))(
    `${title} (%s)`,
    (_, backend) => {
      define((name, body) => {
        test.skipIf(!backend.isThere)(name, async () => body(await backend.open()));
      }, backend.can);
    },
  );
}

export type Check = (name: string, body: (world: BackendWorld) => Promise<void>) => void;
