import type { CSSProperties, JSX } from 'preact';
import { type PieceStyle, paletteColour, type ScreenPiece } from '../src/views/screen.ts';
import { memo } from './parts/memo.ts';

/** One row of a screen. What has not changed is not drawn again. */
export const ScreenRow = memo(
  ({ pieces }: { readonly pieces: readonly ScreenPiece[] }): JSX.Element => (
    <div class="screen-row">
      {pieces.length === 0 && ' '}
      {pieces.map((piece, i) => (
        // Pieces of a row have no other name.
        <Piece key={i} piece={piece} />
      ))}
    </div>
  ),
  (before, now) => isSame(before.pieces, now.pieces),
);

function isSame(before: readonly ScreenPiece[], now: readonly ScreenPiece[]): boolean {
  return before.length === now.length && JSON.stringify(before) === JSON.stringify(now);
}

function Piece({ piece }: { readonly piece: ScreenPiece }): JSX.Element {
  const { text, style, cells } = piece;
  const isPlain = /^[ -~]*$/.test(text);
  const width = isPlain ? {} : { width: `${cells}ch` };
  return (
    <span
      class={`${classOf(style)} ${isPlain ? '' : 'cells'}`}
      style={{ ...colour(style), ...width }}
    >
      {isPlain ? <Linked text={text} /> : text}
    </span>
  );
}

/** Only these two schemes, only by a click, and only as what it says. */
const address = /(https?:\/\/[!#-;=?-~]+)/;

function Linked({ text }: { readonly text: string }): JSX.Element {
  if (!text.includes('://')) return <>{text}</>;
  return (
    <>
      {text.split(address).map((part) => {
        if (!address.test(part)) return part;
        const url = part.replace(/[).,;:'"\]>]+$/, '');
        return (
          <>
            <a href={url} target="_blank" rel="noopener noreferrer nofollow">
              {url}
            </a>
            {part.slice(url.length)}
          </>
        );
      })}
    </>
  );
}

function classOf(style: PieceStyle): string {
  const words = ['bold', 'dim', 'italic', 'underline', 'strike'] as const;
  return words.filter((word) => style[word]).join(' ');
}

function colour({ ink, paper, inverse }: PieceStyle): CSSProperties {
  if (!inverse) {
    return {
      ...(ink ? { color: read(ink, 's') } : {}),
      ...(paper ? { backgroundColor: read(paper, 'p') } : {}),
    };
  }
  return {
    color: paper ? read(paper, 's') : 'var(--screen-paper)',
    backgroundColor: ink ? read(ink, 's') : 'var(--screen-ink)',
  };
}

/** The first 16 are the page's own: `s` as ink, `p` as paper, which is darker. */
function read(given: string, set: 's' | 'p'): string {
  if (given.startsWith('#')) return given;
  return Number(given) < 16 ? `var(--${set}${given})` : paletteColour(Number(given));
}
