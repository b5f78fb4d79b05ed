import type { ReactElement } from 'react';
import { createBrowserRouter, Outlet } from 'react-router';
import type { RouteObject } from 'react-router';
import { usePortal } from '../api/portal-context.ts';
import { useStore } from '../api/store.ts';
import type { Languages } from '../i18n/languages.ts';
import { FallbackError } from './fallback-error.tsx';
import { Gate } from './gate/gate.tsx';
import { LogoutPage } from './logout-page.tsx';
import { forgetReload } from './preload-error.ts';
import type { PageRoute } from './route-table.ts';
import { pageRoutes } from './routes.ts';
import { visitorRoutes } from './visitor-routes.ts';

type Router = ReturnType<typeof createBrowserRouter>;

/** Loads a page's chunk when it is first opened. */
function lazily({ load }: Pick<PageRoute, 'load'>): NonNullable<RouteObject['lazy']> {
  return async () => {
    const { default: Component } = await load();
    forgetReload(sessionStorage);
    return { Component };
  };
}

const loadShell = (languages: Languages) => async (): Promise<{ readonly Component: () => ReactElement }> => {
  const [{ Shell }] = await Promise.all([import('./shell/shell.tsx'), languages.loadPages()]);
  return {
    Component: () => (
      <Gate>
        <Shell>
          <Outlet />
        </Shell>
      </Gate>
    ),
  };
};

/** Pages without a sign-in check: inside the frame for who is signed in, plain for who is not. */
const loadOpenShell = (languages: Languages) => async (): Promise<{ readonly Component: () => ReactElement }> => {
  const [{ Shell }] = await Promise.all([import('./shell/shell.tsx'), languages.loadPages()]);
  return { Component: () => <OpenFrame shell={Shell} /> };
};

function OpenFrame({ shell: Shell }: { readonly shell: (props: { readonly children: ReactElement }) => ReactElement }): ReactElement {
  const { isAuthenticated } = useStore(usePortal().signIn.state);
  if (isAuthenticated) {
    return (
      <Shell>
        <Outlet />
      </Shell>
    );
  }
  return (
    <main id="content">
      <Outlet />
    </main>
  );
}

/** Every address of the portal. Unknown ones show the not-found page. */
export function createRouter(languages: Languages): Router {
  const notFound = lazily({ load: () => import('./not-found-page.tsx') });
  const page = (route: PageRoute): RouteObject => ({ path: route.deep === true ? `${route.path}/*` : route.path, lazy: lazily(route) });
  return createBrowserRouter([
    {
      errorElement: <FallbackError />,
      HydrateFallback: () => null,
      children: [
        ...visitorRoutes.map(page),
        { path: '/logout', Component: LogoutPage },
        { lazy: loadShell(languages), children: pageRoutes.filter((route) => route.open !== true).map(page) },
        {
          lazy: loadOpenShell(languages),
          children: [
            ...pageRoutes.filter((route) => route.open === true).map(page),
            { path: '/error-page', lazy: notFound },
            { path: '*', lazy: notFound },
          ],
        },
      ],
    },
  ]);
}
