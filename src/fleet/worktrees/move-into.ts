import type { Agent } from '../../agents/agent.ts';
import type { Provider } from '../../providers/provider.ts';
import { findProgram } from '../find-program.ts';
import type { Start } from '../launch.ts';
import type { FleetParts } from '../parts.ts';
import { makeWorktree } from './make.ts';
import type { Ground } from './survey.ts';

/** A worktree is noted before it is made, and a program may be named by its path in it. */
export async function moveIntoWorktree(
  parts: FleetParts,
  provider: Provider,
  { id, name }: Agent,
  {
    env,
    extraArgs,
    ground,
    umask,
  }: Pick<Start, 'env' | 'extraArgs' | 'umask'> & { readonly ground: Ground },
): Promise<Pick<Start, 'cwd' | 'executable'>> {
  const namesakes = await parts.ledger.read((tx) => tx.agents.listByName(name));
  const inside = await makeWorktree({
    agent: { id, name },
    hasNamesakes: namesakes.length > 1,
    ground,
    umask,
    folder: parts.folders.worktrees,
    note: (worktree, at) => parts.ledger.write((tx) => tx.agents.setWorktree(id, worktree, at)),
  });
  return { cwd: inside, executable: await findProgram(provider, env, { cwd: inside, extraArgs }) };
}
