import { describe, test } from 'vitest';
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
>;

interface BackendUnderTest {
  readonly name: string;
  readonly isThere: boolean;
  open(): Promise<BackendWorld>;
}

/** Every backend keeps the same promises. A new one is one more line here. */
const backends: readonly BackendUnderTest[] = [
  { name: 'tmux', isThere: hasTmux, open: () => openTmuxWorld() },
];

/** Runs each test once per backend that this machine has, in a world of its own; the others are left out by name. */
export function backendContract(
  title: string,
  define: (check: (name: string, body: (world: BackendWorld) => Promise<void>) => void) => void,
): void {
  describe.each(backends.map((backend) => [backend.name, backend] as const))(
    `${title} (%s)`,
    (_, backend) => {
      define((name, body) => {
        test.skipIf(!backend.isThere)(name, async () => body(await backend.open()));
      });
    },
  );
}
