import { Fault } from '../../shared/fault.ts';
import { quote } from '../../shared/quote.ts';
import { parseUmask } from '../../shared/umask.ts';

/** As a request names it; undefined where it names none. */
export function readUmask(text: string | undefined): number | undefined {
  const umask = text === undefined ? undefined : parseUmask(text);
  if (text === undefined || umask !== undefined) return umask;
  throw new Fault(
    'invalid-input',
    `${quote(text, 20)} is no umask; nothing was started.`,
    'Send three or four octal digits, such as "0022", or leave it out.',
  );
}
