// Tests: src/delivery/routes/finish-paste.test.ts, src/delivery/routes/notice.test.ts.

import type { WaitReason } from '../messages/wait-reason.ts';
import type { KeyObstacle } from '../terminals/writing.ts';

const obstacles: Readonly<Record<KeyObstacle, true>> = {
  'copy-mode': true,
  synchronised: true,
  'input-off': true,
};

/** What a person has made of a terminal, and has to undo (rules 45, 48). */
export function isKeyObstacle(code: string): code is KeyObstacle {
  return Object.hasOwn(obstacles, code);
}

/** Or of its window, which only has to grow. */
export function isPersonsDoing(reason: WaitReason | undefined): boolean {
  return waitsForPerson(reason) || reason?.code === 'window-too-small';
}

/** The same of a reason. */
export function waitsForPerson(
  reason: WaitReason | undefined,
): reason is Extract<WaitReason, { readonly code: KeyObstacle }> {
  return reason !== undefined && isKeyObstacle(reason.code);
}
