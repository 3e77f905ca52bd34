/** The import rules of docs/architecture.md. Adding a feature is one word in this list. */
const FEATURES = [
  'audit',
  'site',
  'messages',
  'accounts',
  'own-account',
  'sign-in',
  'users',
  'settings',
  'institutions',
  'patients',
  'categories',
  'preview',
  'uploads',
  'matching',
  'new-upload',
  'patient-uploads',
  'news',
  'queue',
  'incidents',
  'deliveries',
  'access-requests',
  'questions',
  'reviews',
  'file-checks',
  'sent-uploads',
  'inbox',
  'batches',
  'integrations',
  'merges',
  'referrals',
  'operations',
  'imports',
  'search',
  'shares',
  'shared-results',
  'patient-records',
  'notifications',
  'bulk',
  'dashboard',
  'system',
  'setup',
]

/** A feature imports only features before it. */
const featureOrder = (side) =>
  FEATURES.slice(0, -1).map((feature, place) => ({
    name: `${side}-${feature}-imports-only-earlier-features`,
    severity: 'error',
    from: { path: `^${side}/features/${feature}/`, pathNot: '\\.test\\.tsx?$' },
    to: { path: `^${side}/features/(${FEATURES.slice(place + 1).join('|')})/` },
  }))

const forbid = (name, from, to) => ({ name, severity: 'error', from, to })
const TEST = '\\.test\\.tsx?$'

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    forbid('shared-imports-neither-side', { path: '^shared/' }, { path: '^(server|web|db|test)/' }),
    forbid('web-does-not-import-the-server', { path: '^web/' }, { path: '^(server|db|test)/' }),
    forbid('server-does-not-import-the-web', { path: '^server/' }, { path: '^web/' }),
    forbid(
      'only-main-joins-the-services',
      { path: '^server/', pathNot: '^server/(main\\.ts$|start/)' },
      { path: '^server/(main\\.ts$|start/)' },
    ),
    forbid('routes-hold-no-sql', { path: '^server/http/', pathNot: TEST }, { path: '\\.db\\.ts$' }),
    forbid(
      'features-know-no-route-of-http',
      { path: '^server/features/', pathNot: TEST },
      { path: '^server/(http|app|main|start)' },
    ),
    forbid(
      'platform-knows-no-subject',
      { path: '^server/platform/', pathNot: TEST },
      { path: '^(server/(features|http|graphql|app|main|start|schema|context|services)|shared/(?!limits))' },
    ),
    // Whatever is accepted or released has passed the gate.
    forbid(
      'only-the-gate-clears-uploads',
      { path: '^(server|db|test)/', pathNot: ['^server/features/reviews/can-release\\.ts$', TEST] },
      { path: '^server/features/uploads/clearance\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    // Row types may be named; rows come from a verb or a loader, which know what the actor may see.
    forbid(
      'graphql-runs-no-sql',
      { path: '\\.graphql\\.ts$' },
      { path: '\\.(db|sql)\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    // What several features' queries share is in `*.sql.ts`; everything else of another feature is reached by its verbs.
    forbid(
      'sql-is-private-to-its-feature',
      { path: '^server/features/([^/]+)/', pathNot: TEST },
      {
        path: '\\.db\\.ts$',
        pathNot: '^server/features/$1/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'server-runs-no-feature-sql',
      { path: '^server/(start/)?[^/]+\\.ts$', pathNot: TEST },
      { path: '\\.db\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    forbid('graphql-kit-knows-no-feature', { path: '^server/graphql/' }, { path: '^server/(features|http)' }),
    forbid(
      'production-code-imports-no-test',
      { path: '^(server|web|shared)/', pathNot: TEST },
      { path: '^(test|e2e)/' },
    ),
    forbid(
      'nothing-imports-the-bench',
      { path: '^(server|web|shared|db|test|e2e|scripts)/' },
      { path: '^bench/' },
    ),
    forbid(
      'leaves-know-no-feature',
      { path: '^web/(ui|session|layouts)/' },
      { path: '^web/(features|routes|forms|api|lists|router|main)' },
    ),
    // What the server refuses lands on the fields: forms read its errors.
    forbid(
      'forms-know-no-feature',
      { path: '^web/(forms|lists)/' },
      { path: '^web/(features|routes|layouts|session|router|main)' },
    ),
    forbid('api-imports-no-interface', { path: '^web/api/' }, { path: '^web/(ui|layouts|forms|lists)/' }),
    forbid('ui-knows-no-session', { path: '^web/(ui|layouts)/' }, { path: '^web/session/' }),
    forbid('builds-know-no-screen', { path: '^web/builds/' }, { path: '^web/(features|routes|router|main)' }),
    forbid('features-know-no-route', { path: '^web/features/' }, { path: '^web/(routes|router|main)' }),
    ...featureOrder('server'),
    ...featureOrder('web'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data)/|generated' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
    },
  },
}
