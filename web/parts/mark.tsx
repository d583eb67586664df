import type { JSX } from 'preact';
import type { Mark as MarkView, Shape } from '../../src/views/marks.ts';

/** A status by its shape; the word stands beside it. */
export function Mark({ mark }: { readonly mark: MarkView }): JSX.Element {
  return (
    <svg class={`mark tone-${mark.tone}`} viewBox="0 0 16 16" aria-hidden="true">
      {shapes[mark.shape]}
    </svg>
  );
}

const line = { fill: 'none', stroke: 'currentColor', 'stroke-width': 2 } as const;
const solid = { fill: 'currentColor' } as const;

const shapes: Readonly<Record<Shape, JSX.Element>> = {
  ring: <circle cx="8" cy="8" r="5" {...line} />,
  disc: <circle cx="8" cy="8" r="6" {...solid} />,
  half: (
    <g>
      <circle cx="8" cy="8" r="5" {...line} />
      <path d="M8 3a5 5 0 0 1 0 10z" {...solid} />
    </g>
  ),
  dots: <circle cx="8" cy="8" r="5" {...line} stroke-dasharray="2.6 2.6" />,
  triangle: (
    <g>
      <path d="M8 1.5 15 14H1z" {...solid} />
      <path class="cut" d="M8 6v4M8 11.4v1.2" fill="none" stroke-width="1.6" />
    </g>
  ),
  tick: <path d="M2.5 8.5 6.5 12.5 13.5 4" {...line} />,
  cross: <path d="M3.5 3.5 12.5 12.5M12.5 3.5 3.5 12.5" {...line} stroke-width="2.4" />,
  bar: <path d="M3 8h10" {...line} />,
  question: (
    <path d="M5 5.6a3 3 0 1 1 4.4 2.7C8.3 9 8 9.6 8 10.6M8 12.2v1.9" {...line} stroke-width="1.8" />
  ),
};
