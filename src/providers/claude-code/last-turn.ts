import { asText, parseObject } from '../../shared/json.ts';
import { readLinesBackwards } from '../../shared/read-lines-backwards.ts';
import type { AgentContext } from '../provider.ts';
import { findTranscript } from './find-transcript.ts';

/**
 * The turn whose prompt is the last in the transcript. Its `promptId` is the `prompt_id` of the
 * hooks (2.1.325), also of a prompt that waited in Claude Code's own queue, for which no hook tells
 * the beginning.
 */
export async function findLastTurn(
  context: AgentContext,
  signal: AbortSignal,
): Promise<{ readonly session: string; readonly id: string } | undefined> {
  const path = await findTranscript(context);
  const { conversation: session } = context;
  if (path === undefined || session === undefined) return undefined;
  for await (const line of readLinesBackwards(path, { signal })) {
    if (line === 'too-long' || !line.includes('"promptId"')) continue;
    const record = parseObject(line.toString('utf8'));
    const isOurs = record?.['type'] === 'user' && record['isSidechain'] !== true;
    const id = isOurs ? asText(record['promptId']) : undefined;
    if (id !== undefined) return { session, id };
  }
  return undefined;
}
