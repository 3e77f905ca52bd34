import { builder } from '../../../graphql/builder.ts'
import { VERSION, versionArg } from '../../../graphql/describe.ts'
import { DeliveryType, Institution } from '../institutions.graphql.ts'
import { chooseDelivery, deliveryOf } from './choose-delivery.ts'
import { chooseDepartment } from './choose-department.ts'
import type { DepartmentRow, DoctorRow, MembershipRow } from './departments.db.ts'
import { listMemberships, loadDepartments, loadDoctors } from './read-departments.ts'
import { removeDepartment } from './remove-department.ts'
import { createDepartment, updateDepartment } from './save-department.ts'

const Department = builder.objectRef<DepartmentRow>('Department').implement({
  description: 'A department of an institution, with the referring doctors whose results are its own.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    version: t.exposeInt('version', VERSION),
  }),
})

const ReferringDoctor = builder.objectRef<DoctorRow>('ReferringDoctor').implement({
  description: 'A doctor whom results of an institution name.',
  fields: (t) => ({
    name: t.exposeString('name'),
    departmentId: t.exposeID('department_id', { description: 'Null: in no department.', nullable: true }),
  }),
})

const Membership = builder.objectRef<MembershipRow>('Membership').implement({
  description: 'An institution of the reader, with what narrows its results.',
  fields: (t) => ({
    institutionId: t.exposeID('institution_id'),
    institutionName: t.exposeString('institution_name', { description: 'The short one if it has one.' }),
    departmentId: t.exposeID('department_id', {
      description: "The reader's own department; null: none.",
      nullable: true,
    }),
    institutionDelivery: t.expose('delivery', {
      description: 'How often users of the institution get mail about its results.',
      type: DeliveryType,
    }),
    delivery: t.field({
      description: 'How often the reader gets it: as the institution, or less often.',
      type: DeliveryType,
      resolve: deliveryOf,
    }),
    departments: t.field({
      description: 'By name.',
      type: [Department],
      resolve: ({ institution_id }, _args, ctx) => loadDepartments(ctx, institution_id),
    }),
    doctors: t.field({
      description: 'By name.',
      type: [ReferringDoctor],
      resolve: ({ institution_id }, _args, ctx) => loadDoctors(ctx, institution_id),
    }),
  }),
})

builder.objectFields(Institution, (t) => ({
  departments: t.field({
    description: 'By name; empty for staff who do not edit institutions.',
    type: [Department],
    resolve: ({ id }, _args, ctx) => loadDepartments(ctx, id),
  }),
  doctors: t.field({
    description: 'Whom its results name, by name; empty for staff who do not edit institutions.',
    type: [ReferringDoctor],
    resolve: ({ id }, _args, ctx) => loadDoctors(ctx, id),
  }),
}))

builder.queryFields((t) => ({
  memberships: t.field({
    description: "The reader's institutions, by name.",
    type: [Membership],
    authScopes: { institution: true },
    resolve: (_root, _args, ctx) => listMemberships(ctx),
  }),
}))

const DOCTORS = 'All doctors of the department; they leave their former departments.'

builder.mutationFields((t) => ({
  createDepartment: t.field({
    description:
      'Adds a department to an institution, for its users with the feature `profile::institution` and for administrators.',
    type: Department,
    authScopes: { signedIn: true },
    args: {
      institutionId: t.arg.id({ required: true }),
      name: t.arg.string({ required: true }),
      doctors: t.arg.stringList({ description: DOCTORS, required: true }),
    },
    resolve: (_root, args, ctx) => createDepartment(ctx, args),
  }),
  updateDepartment: t.field({
    description: 'Changes a department, for those who may add one.',
    type: Department,
    authScopes: { signedIn: true },
    args: {
      id: t.arg.id({ required: true }),
      version: versionArg(t),
      name: t.arg.string({ required: true }),
      doctors: t.arg.stringList({ description: DOCTORS, required: true }),
    },
    resolve: (_root, args, ctx) => updateDepartment(ctx, args),
  }),
  removeDepartment: t.field({
    description: 'Removes a department, for those who may add one; returns its id.',
    type: 'ID',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true }), version: versionArg(t) },
    resolve: (_root, args, ctx) => removeDepartment(ctx, args),
  }),
  chooseDepartment: t.field({
    description: "Chooses the reader's own department at one of their institutions.",
    type: Membership,
    authScopes: { institution: true },
    args: {
      institutionId: t.arg.id({ required: true }),
      departmentId: t.arg.id({ description: 'None if omitted.' }),
    },
    resolve: (_root, { institutionId, departmentId }, ctx) =>
      chooseDepartment(ctx, { institutionId, departmentId: departmentId ?? null }),
  }),
  chooseDelivery: t.field({
    description:
      'Chooses how often the reader gets mail about the results of one of their institutions: only less often than the institution.',
    type: Membership,
    authScopes: { institution: true },
    args: {
      institutionId: t.arg.id({ required: true }),
      delivery: t.arg({ description: 'As the institution if omitted.', type: DeliveryType }),
    },
    resolve: (_root, { institutionId, delivery }, ctx) =>
      chooseDelivery(ctx, { institutionId, delivery: delivery ?? null }),
  }),
}))
