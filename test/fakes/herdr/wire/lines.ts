import type { Readable } from 'node:stream';

/** Whole lines of a stream. Not readline: that throws what a socket merely reports. */
export function onLine(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
