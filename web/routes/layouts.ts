import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root.tsx'

const frames = () => import('./frames.tsx')

/** The layouts of signed-in people [2.14]: a route names its own as its parent. They stay while the screens in them change. */
export const defaultLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'default-layout',
  component: lazyRouteComponent(frames, 'DefaultFrame'),
})

export const adminLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'admin-layout',
  component: lazyRouteComponent(frames, 'AdminFrame'),
})

export const institutionLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'institution-layout',
  component: lazyRouteComponent(frames, 'InstitutionFrame'),
})
