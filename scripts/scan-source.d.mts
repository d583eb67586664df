export interface Piece {
  readonly kind: 'line' | 'block' | 'string' | 'template';
  readonly start: number;
  readonly end: number;
}

export function scanSource(text: string): readonly Piece[];
