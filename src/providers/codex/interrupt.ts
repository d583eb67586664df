import { asArray, asObject, asText } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { Interrupting } from '../way-in.ts';
import { type AppServer, RequestFailure } from './app-server.ts';

/**
 * Ends exactly the turn that runs now: the server refuses the id of one that is over, so a turn
 * that begins meanwhile is left alone (0.166.0).
 */
export async function interruptTurn(server: AppServer, threadId: string): Promise<Interrupting> {
  try {
    const { data } = await server.request('thread/turns/list', {
      threadId,
      limit: 1,
      sortDirection: 'desc',
      itemsView: 'notLoaded',
    });
    const turn = asObject(asArray(data)[0]);
    const turnId = asText(turn['id']);
    if (turnId === undefined || turn['status'] !== 'inProgress') return { outcome: 'at-rest' };
    await server.request('turn/interrupt', { threadId, turnId });
    return { outcome: 'asked' };
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    reportBug('interrupting a turn of Codex', error);
    const reason = error.message.slice(0, 200);
    return { outcome: error.kind === 'lost' ? 'unknown' : 'refused', reason };
  }
}
