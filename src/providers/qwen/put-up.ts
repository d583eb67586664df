import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentContext } from '../provider.ts';
import type { PutUp } from '../way-in.ts';
import { inputFile } from './launch.ts';

/**
 * Qwen Code reads its input file by its path, so a new one in the place of one that is gone is read
 * like it (0.24.4).
 */
export async function putUp({ runFolder }: Pick<AgentContext, 'runFolder'>): Promise<PutUp> {
  try {
    await writeFile(join(runFolder, inputFile), '', { mode: 0o600, flag: 'wx' });
    return { outcome: 'asked' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return { outcome: 'asked' };
    const why = `its input file cannot be made again (${message}); restart the agent to give it a new one`;
    return { outcome: 'cannot', why };
  }
}
