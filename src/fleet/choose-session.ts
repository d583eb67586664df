// Tests: test/contracts/namesakes.test.ts.

import { defaultSession, nameSession } from '../agents/name-session.ts';
import { areLookAlikes } from '../agents/skeleton.ts';
import type { LedgerTransaction } from '../store/ledger.ts';

/**
 * The session of the project with this root (`findGitRoot`), which is remembered from now on;
 * `default` where there is none. A session that has the name of the project and follows no other is
 * taken for it: whoever named it so meant it. Two roots of one name are told apart by a number.
 */
export async function enterSession(
  tx: LedgerTransaction,
  root: string | undefined,
): Promise<string> {
  if (root === undefined) return defaultSession;
  const known = await tx.agents.findSession(root);
  if (known !== undefined) return known;
  const inUse = (await tx.agents.list()).map(({ session }) => session);
  for (const name of nameSession(root)) {
    if ((await tx.agents.findRoot(name)) !== undefined) continue;
    // It would be refused, as a name that somebody gave.
    if (!inUse.includes(name) && inUse.some((other) => areLookAlikes(other, name))) continue;
    await tx.agents.setRoot(name, root);
    return name;
  }
  throw new Error('there is always another name');
}
