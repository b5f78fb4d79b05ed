import { useLocation, useNavigate, useParams } from 'react-router';

/** What of a list is open: a row's details, its editing, or a new one. Each has an address of its own. */
export interface Detail {
  readonly mode: 'list' | 'view' | 'edit' | 'new';
  readonly id: string | null;
  readonly view: (id: string) => void;
  readonly edit: (id: string) => void;
  readonly create: () => void;
  readonly close: () => void;
}

/** Reads what follows `base` in the address: `/:id`, `/:id/edit` or `/new`. The list's own state stays. */
export function useDetail(base: string): Detail {
  const { '*': rest = '' } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const go = (below: string): void => void navigate(`${base}${below}${search}`);
  const [id = '', verb = ''] = rest.split('/');
  return {
    ...modeOf(id, verb),
    view: (chosen) => go(`/${chosen}`),
    edit: (chosen) => go(`/${chosen}/edit`),
    create: () => go('/new'),
    close: () => go(''),
  };
}

function modeOf(id: string, verb: string): Pick<Detail, 'mode' | 'id'> {
  if (id === '') return { mode: 'list', id: null };
  if (id === 'new') return { mode: 'new', id: null };
  return { mode: verb === 'edit' ? 'edit' : 'view', id };
}
