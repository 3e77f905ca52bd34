import { type ReactNode, useId, useState } from 'react'
import {
  type Color,
  ColorArea,
  ColorPicker,
  ColorSlider,
  ColorThumb,
  parseColor,
  SliderTrack,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { controlClass, controlRing, inputClass } from '../../ui/field-look.ts'
import { ChannelField } from './channel-field.tsx'
import {
  type Colour,
  type ColourFormat,
  channelValue,
  FORMAT_CHANNELS,
  formatColour,
  parseColour,
  withChannel,
} from './colour.ts'
import { CHECKERS, ColourSample } from './colour-sample.tsx'
import { ColourSwatches, type Swatch, type SwatchGroup } from './colour-swatches.tsx'
import { hasEyedropper, takeScreenColour } from './eyedropper.ts'

export interface ColourPanelProps {
  /** Null while none is chosen. */
  colour: Colour | null
  onChange: (colour: Colour) => void
  /** The notation that is shown first. */
  format: ColourFormat
  hasAlpha: boolean
  swatches: readonly (Swatch | SwatchGroup)[]
}

/** Where the area and the strips stand while no colour is chosen: the hue is seen at once. */
const START: Colour = { hue: 210, saturation: 80, lightness: 50, alpha: 1 }

const toColour = (color: Color): Colour => ({
  hue: color.getChannelValue('hue'),
  saturation: color.getChannelValue('saturation'),
  lightness: color.getChannelValue('lightness'),
  alpha: color.getChannelValue('alpha'),
})

/** Everything that a colour can be chosen with [3.8]; the sizes are those of 9.11. */
export function ColourPanel({ colour, onChange, format, hasAlpha, swatches }: ColourPanelProps) {
  const [notation, setNotation] = useState(format)
  const shown = colour ?? START
  const choose = (next: Colour) => onChange(hasAlpha ? next : { ...next, alpha: 1 })

  const takeFromScreen = async () => {
    const taken = await takeScreenColour()
    const parsed = taken && parseColour(taken)
    if (parsed) choose(parsed)
  }

  return (
    <div className="grid w-64 gap-3">
      <ColorPicker
        value={parseColor(formatColour(shown, 'hsla'))}
        onChange={(color) => choose(toColour(color.toFormat('hsl')))}
      >
        <div className="grid gap-[22px] pb-2 pointer-coarse:gap-[34px] pointer-coarse:pb-3">
          <ColorArea
            aria-label="Saturație și luminozitate"
            colorSpace="hsl"
            xChannel="saturation"
            yChannel="lightness"
            className="size-64 rounded-sm"
          >
            <Thumb />
          </ColorArea>
          <Strip channel="hue" />
          {hasAlpha && <Strip channel="alpha" />}
        </div>
      </ColorPicker>
      <div className="flex items-center gap-2">
        <ColourSample colour={colour ? formatColour(colour, 'hsla') : ''} className="size-[33px]" />
        <ToggleButtonGroup
          aria-label="Notație"
          disallowEmptySelection
          selectedKeys={[notation]}
          onSelectionChange={([id]) => setNotation(id as ColourFormat)}
          className="flex flex-1 rounded-md bg-sunken"
        >
          <Notation id="hex">HEX</Notation>
          <Notation id="rgba">{hasAlpha ? 'RGBA' : 'RGB'}</Notation>
          <Notation id="hsla">{hasAlpha ? 'HSLA' : 'HSL'}</Notation>
        </ToggleButtonGroup>
        {hasEyedropper() && (
          <IconButton icon="pipette" label="Ia o culoare de pe ecran" onPress={takeFromScreen} />
        )}
      </div>
      {notation === 'hex' ? (
        <HexField colour={shown} onChange={choose} />
      ) : (
        <div className="grid grid-cols-2 gap-2">
          {FORMAT_CHANNELS[notation]
            .filter((channel) => hasAlpha || channel !== 'alpha')
            .map((channel) => (
              <ChannelField
                key={channel}
                channel={channel}
                value={channelValue(shown, channel)}
                onChange={(value) => choose(withChannel(shown, channel, value))}
              />
            ))}
        </div>
      )}
      <ColourSwatches swatches={swatches} colour={colour} onChoose={choose} />
    </div>
  )
}

/** White between two black rings, in either mode: it is seen on every colour. */
function Thumb({ className }: { className?: string }) {
  return (
    <ColorThumb
      className={classNames(
        'size-5 rounded-full border-2 border-[white] shadow-[0_0_0_1px_black,inset_0_0_0_1px_black] data-focus-visible:size-6 data-focus-visible:outline-2 data-focus-visible:outline-focus data-focus-visible:outline-offset-2',
        className,
      )}
    />
  )
}

/** Drawn 10 px high; the pointer finds it also a little above and below. */
function Strip({ channel }: { channel: 'hue' | 'alpha' }) {
  return (
    <ColorSlider colorSpace="hsl" channel={channel}>
      <SliderTrack
        style={({ defaultStyle }) => ({
          ...defaultStyle,
          background: `${defaultStyle.background}, ${CHECKERS}`,
        })}
        className="h-[10px] w-64 cursor-pointer rounded-full before:absolute before:inset-x-0 before:-inset-y-[11px] pointer-coarse:before:-inset-y-[17px]"
      >
        <Thumb className="top-1/2" />
      </SliderTrack>
    </ColorSlider>
  )
}

function Notation({ id, children }: { id: ColourFormat; children: ReactNode }) {
  return (
    <ToggleButton
      id={id}
      className="hit-area flex-1 rounded-md text-xs text-muted transition-colors hover:text-ink data-selected:bg-pressed data-selected:font-medium data-selected:text-ink"
    >
      {children}
    </ToggleButton>
  )
}

/** The colour as text; any notation may be typed here too. */
function HexField({ colour, onChange }: { colour: Colour; onChange: (colour: Colour) => void }) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <div className={classNames(controlClass, controlRing)}>
      <label htmlFor={id} className="self-center pl-2.5 text-xs text-muted">
        Hex
      </label>
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? formatColour(colour, 'hex')}
        onChange={({ target }) => {
          setTyped(target.value)
          const parsed = parseColour(target.value)
          if (parsed) onChange(parsed)
        }}
        onBlur={() => setTyped(null)}
        className={inputClass}
      />
    </div>
  )
}
