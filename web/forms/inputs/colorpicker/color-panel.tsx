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
import { IconButton } from '../../../ui/base/button.tsx'
import { classNames } from '../../../ui/base/class-names.ts'
import { controlClass, controlRing, inputClass } from '../../../ui/controls/field-styles.ts'
import { ChannelField } from './channel-field.tsx'
import {
  type ColorFormat,
  channelValue,
  FORMAT_CHANNELS,
  formatColorText,
  type HslaColor,
  parseColorText,
  withChannel,
} from './color.ts'
import { ColorCanvas, paintArea, paintGradient } from './color-canvas.tsx'
import { CHECKERS, ColorSample } from './color-sample.tsx'
import { ColorSwatches, type Swatch, type SwatchGroup } from './color-swatches.tsx'
import { hasEyedropper, pickScreenColor } from './eyedropper.ts'

export interface ColorPanelProps {
  /** Null while no colour is chosen. */
  color: HslaColor | null
  onChange: (color: HslaColor) => void
  /** The notation that is selected first. */
  format: ColorFormat
  hasAlpha: boolean
  swatches: readonly (Swatch | SwatchGroup)[]
}

/** The position of area and sliders while no colour is chosen; saturated, so that the hue is visible. */
const INITIAL_COLOR: HslaColor = { hue: 210, saturation: 80, lightness: 50, alpha: 1 }

const HUES = [0, 60, 120, 180, 240, 300, 360].map((hue) => `hsl(${hue} 100% 50%)`)

const toColor = (color: Color): HslaColor => ({
  hue: color.getChannelValue('hue'),
  saturation: color.getChannelValue('saturation'),
  lightness: color.getChannelValue('lightness'),
  alpha: color.getChannelValue('alpha'),
})

/** The controls that choose a colour [3.8]; their sizes follow requirement 9.11. */
export function ColorPanel({ color: colour, onChange, format, hasAlpha, swatches }: ColorPanelProps) {
  const [notation, setNotation] = useState(format)
  const shownColor = colour ?? INITIAL_COLOR
  const choose = (next: HslaColor) => onChange(hasAlpha ? next : { ...next, alpha: 1 })

  const pickFromScreen = async () => {
    const picked = await pickScreenColor()
    const parsed = picked && parseColorText(picked)
    if (parsed) choose(parsed)
  }

  return (
    <div className="grid w-64 gap-3">
      <ColorPicker
        value={parseColor(formatColorText(shownColor, 'hsla'))}
        onChange={(color) => choose(toColor(color.toFormat('hsl')))}
      >
        <div className="grid gap-[22px] pb-2 pointer-coarse:gap-[34px] pointer-coarse:pb-3">
          <ColorArea
            aria-label="Saturație și luminozitate"
            colorSpace="hsl"
            xChannel="saturation"
            yChannel="lightness"
            style={{ background: 'none' }}
            className="size-64 rounded-sm"
          >
            <ColorCanvas width={256} height={256} paint={paintArea(shownColor.hue)} className="rounded-sm" />
            <Thumb />
          </ColorArea>
          <ChannelSlider channel="hue" colors={HUES} />
          {hasAlpha && (
            <ChannelSlider
              channel="alpha"
              colors={[0, 1].map((alpha) => formatColorText({ ...shownColor, alpha }, 'hsla'))}
            />
          )}
        </div>
      </ColorPicker>
      <div className="flex items-center gap-2">
        <ColorSample color={colour ? formatColorText(colour, 'hsla') : ''} size={33} />
        <ToggleButtonGroup
          aria-label="Notație"
          disallowEmptySelection
          selectedKeys={[notation]}
          onSelectionChange={([id]) => setNotation(id as ColorFormat)}
          className="flex flex-1 rounded-md bg-sunken"
        >
          <Notation id="hex">HEX</Notation>
          <Notation id="rgba">{hasAlpha ? 'RGBA' : 'RGB'}</Notation>
          <Notation id="hsla">{hasAlpha ? 'HSLA' : 'HSL'}</Notation>
        </ToggleButtonGroup>
        {hasEyedropper() && (
          <IconButton icon="pipette" label="Ia o culoare de pe ecran" onPress={pickFromScreen} />
        )}
      </div>
      {notation === 'hex' ? (
        <HexField color={shownColor} onChange={choose} />
      ) : (
        <div className="grid grid-cols-2 gap-2">
          {FORMAT_CHANNELS[notation]
            .filter((channel) => hasAlpha || channel !== 'alpha')
            .map((channel) => (
              <ChannelField
                key={channel}
                channel={channel}
                value={channelValue(shownColor, channel)}
                onChange={(value) => choose(withChannel(shownColor, channel, value))}
              />
            ))}
        </div>
      )}
      <ColorSwatches swatches={swatches} color={colour} onChoose={choose} />
    </div>
  )
}

/** A white ring between two black rings, visible on every colour in both colour modes. */
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

/** A slider 10 px high, with a larger area for the pointer. */
function ChannelSlider({ channel, colors }: { channel: 'hue' | 'alpha'; colors: readonly string[] }) {
  return (
    <ColorSlider colorSpace="hsl" channel={channel}>
      <SliderTrack
        style={{ background: CHECKERS }}
        className="h-[10px] w-64 cursor-pointer rounded-full before:absolute before:inset-x-0 before:-inset-y-[11px] pointer-coarse:before:-inset-y-[17px]"
      >
        <ColorCanvas
          width={256}
          height={10}
          paint={paintGradient('right', colors)}
          className="rounded-full"
        />
        <Thumb className="top-1/2" />
      </SliderTrack>
    </ColorSlider>
  )
}

function Notation({ id, children }: { id: ColorFormat; children: ReactNode }) {
  return (
    <ToggleButton
      id={id}
      className="hit-area flex-1 rounded-md text-xs text-muted transition-colors hover:text-ink data-selected:bg-pressed data-selected:font-medium data-selected:text-ink"
    >
      {children}
    </ToggleButton>
  )
}

/** The colour as hex text; any notation may be typed. */
function HexField({ color, onChange }: { color: HslaColor; onChange: (color: HslaColor) => void }) {
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
        value={typed ?? formatColorText(color, 'hex')}
        onChange={({ target }) => {
          setTyped(target.value)
          const parsed = parseColorText(target.value)
          if (parsed) onChange(parsed)
        }}
        onBlur={() => setTyped(null)}
        className={inputClass}
      />
    </div>
  )
}
