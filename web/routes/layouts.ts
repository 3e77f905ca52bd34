import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import { rootRoute } from './root.tsx'

const frames = () => import('./frames.tsx')

/**
 * Starts loading the categories [4.11] after the guards and before the frame and its screen are mounted. The
 * screens do not wait: they work without the categories [8.11], which load in parallel with their own data.
 * The store sends one request per user, however often a layout is entered.
 */
const startCategories = async () => {
  const { loadCategories } = await frames()
  loadCategories()
}

/**
 * The layouts for signed-in users [2.14]: a route names its layout as its parent. They stay mounted while
 * their screens change.
 */
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
