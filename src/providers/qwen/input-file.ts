import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { reportBug } from '../../shared/report-bug.ts';
import { inputFile } from './launch.ts';

type Appended =
  | { readonly outcome: 'taken' }
  /** Nothing that Qwen Code would act on was written. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** It may act on it. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/**
 * Appends one line to Qwen Code's input file, in one write: a file that was cut is read again from
 * its beginning (0.24.4). `begin` is asked immediately before the act.
 */
export async function appendToInput(
  runFolder: string,
  line: Buffer,
  begin: () => Promise<boolean>,
): Promise<Appended> {
  let file: FileHandle;
  try {
    // Not created: a file that is gone is one that nobody reads.
    const { O_WRONLY, O_APPEND, O_NONBLOCK } = constants;
    file = await open(join(runFolder, inputFile), O_WRONLY | O_APPEND | O_NONBLOCK);
  } catch (error) {
    reportBug("opening Qwen Code's input file", error);
    return refused(`the input file: ${describe(error)}`);
  }
  try {
    if (!(await begin())) return refused('it is too late for this attempt');
    return await append(file, line);
  } finally {
    // What was written is with the system; what the write came to is known.
    await file.close().catch(() => undefined);
  }
}

/**
 * Half a line is nothing: nobody writes its rest, and the next one begins with a newline. Without
 * its last newline it is a whole one, which that of the next line ends at the latest.
 */
async function append(file: FileHandle, line: Buffer): Promise<Appended> {
  const before = await sizeOf(file);
  try {
    const { bytesWritten } = await file.write(line, 0, line.length);
    if (bytesWritten >= line.length) return { outcome: 'taken' };
    if (bytesWritten < line.length - 1)
      return refused('the input file took only a part of the line');
    return await end(file, line);
  } catch (error) {
    reportBug("writing to Qwen Code's input file", error);
    const reason = `the input file: ${describe(error)}`;
    // An error alone does not say that nothing was written (rule 41); the length of the file does.
    const isAsItWas = before !== undefined && (await sizeOf(file)) === before;
    return isAsItWas ? refused(reason) : { outcome: 'unknown', reason };
  }
}

async function end(file: FileHandle, line: Buffer): Promise<Appended> {
  try {
    const { bytesWritten } = await file.write(line, line.length - 1, 1);
    if (bytesWritten === 1) return { outcome: 'taken' };
  } catch (error) {
    reportBug("ending a line of Qwen Code's input file", error);
  }
  return { outcome: 'unknown', reason: 'the input file took the line without its end' };
}

async function sizeOf(file: FileHandle): Promise<number | undefined> {
  try {
    return (await file.stat()).size;
  } catch (error) {
    return reportBug("looking at Qwen Code's input file", error);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refused(reason: string): Appended {
  return { outcome: 'refused', reason };
}
