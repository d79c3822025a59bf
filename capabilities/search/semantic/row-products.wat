;; The hot loops of the sentence encoder and of the vector search: products of int8 matrix rows with int16 vectors.
;; scripts/build-encoder.mjs compiles this file into row-products.json. Sizes are in elements, places in bytes;
;; rows is a multiple of 4 for rescale, columns a multiple of 16.
(module
  (memory (export "memory") 1)

  ;; The four lanes of a sum, added as floats: each lane may be near the end of the int32 range.
  (func $sum (param $lanes v128) (result f32)
    (local $floats v128)
    (local.set $floats (f32x4.convert_i32x4_s (local.get $lanes)))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $floats)) (f32x4.extract_lane 1 (local.get $floats)))
      (f32.add (f32x4.extract_lane 2 (local.get $floats)) (f32x4.extract_lane 3 (local.get $floats)))))

  ;; outputs[vector][row] = sum over k of matrix[row][k] * vectors[vector][k], as float32.
  (func (export "multiply")
    (param $matrix i32) (param $rows i32) (param $columns i32)
    (param $vectors i32) (param $count i32) (param $outputs i32)
    (local $end i32) (local $rowEnd i32) (local $weight i32) (local $vector i32) (local $left i32)
    (local $input0 i32) (local $input1 i32) (local $input2 i32) (local $input3 i32)
    (local $output i32) (local $stride i32) (local $outputStride i32)
    (local $low v128) (local $high v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $stride (i32.shl (local.get $columns) (i32.const 1)))
    (local.set $outputStride (i32.shl (local.get $rows) (i32.const 2)))
    (local.set $end (i32.add (local.get $matrix) (i32.mul (local.get $rows) (local.get $columns))))
    (block $done
      (loop $eachRow
        (br_if $done (i32.ge_u (local.get $matrix) (local.get $end)))
        (local.set $rowEnd (i32.add (local.get $matrix) (local.get $columns)))
        (local.set $vector (local.get $vectors))
        (local.set $left (local.get $count))
        (local.set $output (local.get $outputs))

        ;; Four vectors at a time, so that a row is loaded and widened once for all of them.
        (block $fewerThanFour
          (loop $eachFour
            (br_if $fewerThanFour (i32.lt_u (local.get $left) (i32.const 4)))
            (local.set $sum0 (v128.const i32x4 0 0 0 0))
            (local.set $sum1 (v128.const i32x4 0 0 0 0))
            (local.set $sum2 (v128.const i32x4 0 0 0 0))
            (local.set $sum3 (v128.const i32x4 0 0 0 0))
            (local.set $weight (local.get $matrix))
            (local.set $input0 (local.get $vector))
            (local.set $input1 (i32.add (local.get $input0) (local.get $stride)))
            (local.set $input2 (i32.add (local.get $input1) (local.get $stride)))
            (local.set $input3 (i32.add (local.get $input2) (local.get $stride)))
            (local.set $vector (i32.add (local.get $input3) (local.get $stride)))
            (loop $eachSixteen
              (local.set $low (v128.load8x8_s (local.get $weight)))
              (local.set $high (v128.load8x8_s offset=8 (local.get $weight)))
              (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.add
                (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $input0)))
                (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $input0))))))
              (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.add
                (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $input1)))
                (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $input1))))))
              (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.add
                (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $input2)))
                (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $input2))))))
              (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.add
                (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $input3)))
                (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $input3))))))
              (local.set $input0 (i32.add (local.get $input0) (i32.const 32)))
              (local.set $input1 (i32.add (local.get $input1) (i32.const 32)))
              (local.set $input2 (i32.add (local.get $input2) (i32.const 32)))
              (local.set $input3 (i32.add (local.get $input3) (i32.const 32)))
              (local.set $weight (i32.add (local.get $weight) (i32.const 16)))
              (br_if $eachSixteen (i32.lt_u (local.get $weight) (local.get $rowEnd))))
            (f32.store (local.get $output) (call $sum (local.get $sum0)))
            (local.set $output (i32.add (local.get $output) (local.get $outputStride)))
            (f32.store (local.get $output) (call $sum (local.get $sum1)))
            (local.set $output (i32.add (local.get $output) (local.get $outputStride)))
            (f32.store (local.get $output) (call $sum (local.get $sum2)))
            (local.set $output (i32.add (local.get $output) (local.get $outputStride)))
            (f32.store (local.get $output) (call $sum (local.get $sum3)))
            (local.set $output (i32.add (local.get $output) (local.get $outputStride)))
            (local.set $left (i32.sub (local.get $left) (i32.const 4)))
            (br $eachFour)))

        (block $noneLeft
          (loop $eachOne
            (br_if $noneLeft (i32.eqz (local.get $left)))
            (local.set $sum0 (v128.const i32x4 0 0 0 0))
            (local.set $sum1 (v128.const i32x4 0 0 0 0))
            (local.set $weight (local.get $matrix))
            (local.set $input0 (local.get $vector))
            (loop $eachSixteen
              (local.set $sum0 (i32x4.add (local.get $sum0)
                (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $weight)) (v128.load (local.get $input0)))))
              (local.set $sum1 (i32x4.add (local.get $sum1)
                (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $weight)) (v128.load offset=16 (local.get $input0)))))
              (local.set $input0 (i32.add (local.get $input0) (i32.const 32)))
              (local.set $weight (i32.add (local.get $weight) (i32.const 16)))
              (br_if $eachSixteen (i32.lt_u (local.get $weight) (local.get $rowEnd))))
            (f32.store (local.get $output) (call $sum (i32x4.add (local.get $sum0) (local.get $sum1))))
            (local.set $output (i32.add (local.get $output) (local.get $outputStride)))
            (local.set $vector (i32.add (local.get $vector) (local.get $stride)))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br $eachOne)))

        (local.set $matrix (local.get $rowEnd))
        (local.set $outputs (i32.add (local.get $outputs) (i32.const 4)))
        (br $eachRow))))

  ;; codes[vector][k] = round(values[vector][k] * 32767 / largest of the vector); scales[vector] = largest / 32767.
  (func (export "quantize")
    (param $values i32) (param $count i32) (param $columns i32) (param $codes i32) (param $scales i32)
    (local $value i32) (local $end i32) (local $largest v128) (local $factor v128) (local $most f32)
    (block $done
      (loop $eachVector
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $end (i32.add (local.get $values) (i32.shl (local.get $columns) (i32.const 2))))
        (local.set $largest (v128.const f32x4 0 0 0 0))
        (local.set $value (local.get $values))
        (loop $eachFour
          (local.set $largest (f32x4.max (local.get $largest) (f32x4.abs (v128.load (local.get $value)))))
          (local.set $value (i32.add (local.get $value) (i32.const 16)))
          (br_if $eachFour (i32.lt_u (local.get $value) (local.get $end))))
        (local.set $most (f32.max
          (f32.max (f32x4.extract_lane 0 (local.get $largest)) (f32x4.extract_lane 1 (local.get $largest)))
          (f32.max (f32x4.extract_lane 2 (local.get $largest)) (f32x4.extract_lane 3 (local.get $largest)))))
        (f32.store (local.get $scales) (f32.div (local.get $most) (f32.const 32767)))
        ;; Zero over zero is not a number, which the saturating conversion below turns into the code 0.
        (local.set $factor (f32x4.splat (f32.div (f32.const 32767) (local.get $most))))
        (local.set $value (local.get $values))
        (loop $eachEight
          (v128.store (local.get $codes) (i16x8.narrow_i32x4_s
            (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load (local.get $value)) (local.get $factor))))
            (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load offset=16 (local.get $value)) (local.get $factor))))))
          (local.set $codes (i32.add (local.get $codes) (i32.const 16)))
          (local.set $value (i32.add (local.get $value) (i32.const 32)))
          (br_if $eachEight (i32.lt_u (local.get $value) (local.get $end))))
        (local.set $values (local.get $end))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $eachVector))))

  ;; outputs[vector][row] = outputs[vector][row] * scales[vector] * rowScales[row] + bias[row], in place.
  (func (export "rescale")
    (param $outputs i32) (param $count i32) (param $rows i32)
    (param $scales i32) (param $rowScales i32) (param $bias i32)
    (local $at i32) (local $end i32) (local $scale v128)
    (local.set $end (i32.shl (local.get $rows) (i32.const 2)))
    (block $done
      (loop $eachVector
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $scale (f32x4.splat (f32.load (local.get $scales))))
        (local.set $at (i32.const 0))
        (loop $eachFour
          (v128.store (i32.add (local.get $outputs) (local.get $at)) (f32x4.add
            (f32x4.mul
              (f32x4.mul (v128.load (i32.add (local.get $outputs) (local.get $at))) (local.get $scale))
              (v128.load (i32.add (local.get $rowScales) (local.get $at))))
            (v128.load (i32.add (local.get $bias) (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $eachFour (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $outputs (i32.add (local.get $outputs) (local.get $end)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $eachVector)))))
