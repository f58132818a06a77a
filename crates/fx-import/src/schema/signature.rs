//! What each input and output of a program is.

use serde::Deserialize;

use super::{Argument, CustomObjArgument, TensorArgument, TokenArgument};
use crate::json::{Float, union};

/// `input_specs[i]` describes the graph's input `i`, `output_specs[i]` its output `i`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GraphSignature {
    /// Tokens, parameters, buffers, constants, custom objects, then user inputs.
    pub input_specs: Vec<InputSpec>,
    /// Tokens, mutations, the loss, gradients and user outputs.
    pub output_specs: Vec<OutputSpec>,
}

union! {
    /// What an input is.
    InputSpec {
        /// An input of the caller.
        "user_input" => UserInput(UserInputSpec),
        /// A parameter.
        "parameter" => Parameter(ParameterInputSpec),
        /// A buffer.
        "buffer" => Buffer(BufferInputSpec),
        /// A tensor that the program holds.
        "tensor_constant" => TensorConstant(TensorConstantInputSpec),
        /// A custom object that the program holds.
        "custom_obj" => CustomObj(CustomObjInputSpec),
        /// A token.
        "token" => Token(TokenSpec),
        /// An input of the caller whose value is fixed.
        "constant_input" => ConstantInput(ConstantInputSpec),
    }
}

union! {
    /// What an output is.
    OutputSpec {
        /// An output for the caller.
        "user_output" => UserOutput(UserOutputSpec),
        /// The loss of a joint program.
        "loss_output" => LossOutput(LossOutputSpec),
        /// The new value of a buffer.
        "buffer_mutation" => BufferMutation(BufferMutationSpec),
        /// The new value of a parameter.
        "parameter_mutation" => ParameterMutation(ParameterMutationSpec),
        /// The gradient of a parameter.
        "gradient_to_parameter" => GradientToParameter(GradientToParameterSpec),
        /// The gradient of a user input.
        "gradient_to_user_input" => GradientToUserInput(GradientToUserInputSpec),
        /// The new value of a user input.
        "user_input_mutation" => UserInputMutation(UserInputMutationSpec),
        /// A token.
        "token" => Token(TokenSpec),
    }
}

union! {
    /// The value of a fixed input.
    ConstantValue {
        /// `None`.
        "as_none" => None,
        /// An integer.
        "as_int" => Int(i64),
        /// A float.
        "as_float" => Float(f64, via Float),
        /// A string.
        "as_string" => String(String),
        /// A bool.
        "as_bool" => Bool(bool),
    }
}

/// Declares records of a spec: the argument and the name that it belongs to.
macro_rules! specs {
    ($($(#[$meta:meta])* $name:ident { arg: $arg:ty $(, $(#[$doc:meta])* $field:ident: $ty:ty)* })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        pub struct $name {
            /// The graph's input or output.
            pub arg: $arg,
            $($(#[$doc])* pub $field: $ty,)*
        }
    )+};
}

specs! {
    /// An input of the caller: a tensor or a symbolic number.
    UserInputSpec { arg: Argument }
    /// A parameter.
    ParameterInputSpec { arg: TensorArgument,
        /// Its path, such as `layer.weight`.
        parameter_name: String }
    /// A buffer.
    BufferInputSpec { arg: TensorArgument,
        /// Its path.
        buffer_name: String,
        /// Whether it is part of the state dict; others are among the constants.
        persistent: bool }
    /// A tensor that the program holds.
    TensorConstantInputSpec { arg: TensorArgument,
        /// Its path.
        tensor_constant_name: String }
    /// A custom object that the program holds.
    CustomObjInputSpec { arg: CustomObjArgument,
        /// Its path.
        custom_obj_name: String }
    /// A token.
    TokenSpec { arg: TokenArgument }
    /// An output for the caller; may name an input, and may be a constant.
    UserOutputSpec { arg: Argument }
    /// The loss of a joint program.
    LossOutputSpec { arg: TensorArgument }
    /// The new value of a buffer.
    BufferMutationSpec { arg: TensorArgument,
        /// The buffer's path.
        buffer_name: String }
    /// The new value of a parameter.
    ParameterMutationSpec { arg: TensorArgument,
        /// The parameter's path.
        parameter_name: String }
    /// The gradient of a parameter.
    GradientToParameterSpec { arg: TensorArgument,
        /// The parameter's path.
        parameter_name: String }
    /// The gradient of a user input.
    GradientToUserInputSpec { arg: TensorArgument,
        /// The placeholder's name.
        user_input_name: String }
    /// The new value of a user input.
    UserInputMutationSpec { arg: TensorArgument,
        /// The placeholder's name.
        user_input_name: String }
}

/// An input of the caller whose value is fixed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ConstantInputSpec {
    /// The placeholder's name.
    pub name: String,
    /// The value that the nodes were made with.
    pub value: ConstantValue,
}
