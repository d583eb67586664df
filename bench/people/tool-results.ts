import type { LabBox } from '../../test/lab/life/box.ts';
import { createWord } from '../delivery/letter.ts';
import { StdioClient } from '../team/stdio-client.ts';
import { type Around, countAround } from './count-around.ts';

/** What check_inbox writes around one message, and around two, for an agent that only pulls. */
export async function takeResults(box: LabBox, sender: string): Promise<readonly [Around, Around]> {
  const reader = 'examiner';
  await box.ask(['agents', 'add', reader]);
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: box.state, SIGNALBOX_HOME: box.state, SIGNALBOX_AGENT: reader };
  const client = new StdioClient([box.program, 'mcp'], env);
  const take = async (count: number): Promise<Around> => {
    const bodies = Array.from({ length: count }, () => `${createWord()}, please look into it`);
    for (const body of bodies) await box.ask(['send', reader, body, '--from', sender]);
    const { content } = await client.ask('tools/call', { name: 'check_inbox', arguments: {} });
    return countAround(JSON.stringify(content), bodies);
  };
  try {
    await client.initialize();
    return [await take(1), await take(2)];
  } finally {
    await client.close();
  }
}
