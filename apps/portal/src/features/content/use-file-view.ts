import { useMemo, useState } from 'react';
import { z } from 'zod';
import { createKept } from '../../api/storage.ts';

const views = ['list', 'grid'] as const;
export type FileView = (typeof views)[number];

/** Whether files are listed or shown as tiles: what the reader chose last, in whichever folder. */
export function useFileView(): readonly [FileView, (view: FileView) => void] {
  const kept = useMemo(() => createKept(localStorage, 'holdfast.files', z.enum(views)), []);
  const [view, setView] = useState<FileView>(() => kept.read() ?? 'list');
  const choose = (next: FileView): void => {
    setView(next);
    kept.write(next);
  };
  return [view, choose];
}
