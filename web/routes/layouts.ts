import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root.tsx'

const frames = () => import('./frames.tsx')

/**
 * Starts the load of the categories [4.11] once the guards have let the person in and before the frame and its screen are
 * mounted. The screens do not wait for the answer: they can be used without it [8.11], and it comes while they ask
 * for their own data. The store asks once for a person, however often a layout is entered.
 */
const startCategories = async () => {
  const { loadCategories } = await frames()
  loadCategories()
}

/** The layouts of signed-in people [2.14]: a route names its own as its parent. They stay while the screens in them change. */
export const defaultLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'default-layout',
  loader: startCategories,
  component: lazyScreen(frames, 'DefaultFrame'),
})

export const adminLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'admin-layout',
  loader: startCategories,
  component: lazyScreen(frames, 'AdminFrame'),
})

export const institutionLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'institution-layout',
  loader: startCategories,
  component: lazyScreen(frames, 'InstitutionFrame'),
})
