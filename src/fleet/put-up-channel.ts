import type { WaitReason } from '../messages/wait-reason.ts';
import type { AgentContext } from '../providers/provider.ts';
import { Fault } from '../shared/fault.ts';
import { reportBug } from '../shared/report-bug.ts';
import { strictestUmask } from '../shared/umask.ts';
import { helperMark } from './end-leftovers.ts';
import { knownUmask } from './known-umask.ts';
import type { Life } from './life.ts';

/** Rule 53. Resolves with why it cannot be done; undefined: it should stand within seconds. */
export async function putUpChannel(
  { provider, backend, terminal, agent, epoch }: Life,
  context: AgentContext,
): Promise<WaitReason | undefined> {
  try {
    const done = await provider.putUp?.(context);
    if (done === undefined || done.outcome === 'asked') return undefined;
    if (done.outcome === 'cannot') return { code: 'cannot-be-put-up', why: done.why };
    const { env } = context;
    if (env['SIGNALBOX_AGENT'] !== agent.id) {
      return { code: 'helper-not-started', helper: done.helper.name };
    }
    const started = await backend.startHelper(terminal, {
      ...done.helper,
      cwd: agent.cwd,
      umask: knownUmask(epoch) ?? strictestUmask,
      env: { ...env, ...helperMark },
    });
    return started === 'gone' ? { code: 'terminal-gone' } : undefined;
  } catch (error) {
    if (error instanceof Fault) return { code: 'cannot-be-put-up', why: error.message };
    reportBug('putting up a standing channel', error);
    return { code: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}
